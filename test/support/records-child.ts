/** A process without the rights of root that reads the records in a folder; prints them as JSON. */
import { dirname } from "node:path";
import { errorData } from "../../src/lib/errors.ts";
import { openRecords, readRecords } from "../../src/repo/records/open.ts";
import { giveUpRoot } from "./give-up-root.ts";
import { recordsPowers } from "./records.ts";

giveUpRoot();
const [folder = ""] = process.argv.slice(2);
const place = { dataFolder: folder, canonicalRoot: dirname(folder) };
const powers = recordsPowers();

async function goals(): Promise<unknown> {
  const records = await readRecords(place, powers);
  const rows = records.all<{ goal: string }>("SELECT goal FROM tasks");
  records.close();
  return rows.map(({ goal }) => goal);
}

const read = await goals().catch(errorData);
const written = await openRecords(place, powers).then(
  () => "opened",
  (error) => errorData(error).code,
);
process.stdout.write(JSON.stringify({ read, written, notices: powers.notices }));
