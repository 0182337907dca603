/**
 * Measures session memory on transcripts that it makes, in a temporary folder that goes in the end:
 *
 *   node_modules/.bin/bun scripts/bench/sessions.ts [--messages 10000,100000,1000000] [--corpus 2000] [--file 600]
 *
 * `--corpus` and `--file` are in megabytes; with 0 they are left out. Each figure stands beside the least
 * that is needed, in the same sitting. Let nothing else run.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPrograms } from "./programs.ts";
import { writeCorpus } from "./sessions/corpus.ts";
import { buildFloor, coldIndex, noChange } from "./sessions/indexing.ts";
import { searches } from "./sessions/searching.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "10000,100000,1000000" },
    corpus: { type: "string", default: "2000" },
    file: { type: "string", default: "600" },
  },
});
/** What the generator needs for a message, about. */
const MESSAGE_BYTES = 1020;

const directory = mkdtempSync(join(tmpdir(), "pallium-bench-"));
try {
  const programs = buildPrograms(directory);
  const tools = { ...programs, floor: buildFloor(directory) };
  let count = 0;
  const atHome = async (
    megabytes: number,
    measure: (home: string, name: string) => Promise<void>,
    fileBytes?: number,
  ): Promise<void> => {
    if (!(megabytes > 0)) return;
    count += 1;
    const home = join(directory, `home-${count}`);
    mkdirSync(home);
    const made = writeCorpus({
      home,
      megabytes,
      ...(fileBytes === undefined ? {} : { fileBytes }),
    });
    const name = `${made.messages} messages, ${(made.bytes / 1e6).toFixed(0)} MB in ${made.files} files`;
    await measure(home, name);
    rmSync(home, { recursive: true, force: true });
  };
  console.log("| what | median | 95 % | baseline | median | ratio |\n|---|---|---|---|---|---|");
  for (const messages of values.messages.split(",").map(Number)) {
    await atHome((messages * MESSAGE_BYTES) / 1e6, async (home, name) => {
      await coldIndex(tools, home, name);
      await noChange(tools, home, name);
      await searches(tools, home, name);
    });
  }
  await atHome(Number(values.corpus), (home, name) => coldIndex(tools, home, name));
  const file = Number(values.file);
  await atHome(file, (home, name) => coldIndex(tools, home, name), 4 * file * 1e6);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
