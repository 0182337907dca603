/** In what state the file of a store is: whole, and nobody else's to read. */
import { dirname } from "node:path";
import { counted } from "../../lib/counted.ts";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { accessBits } from "../../platform/access.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { isCorrupt } from "../../platform/sqlite/failure.ts";
import { type Finding, problem } from "./finding.ts";

/** Of damage so many places are named. */
const MOST_NAMED = 5;
const RESTORE = "move the file away, then read all transcripts anew: pallium sessions index";

/** The store's files and their folder must be their owner's alone: transcripts hold everything. */
export async function accessFindings(path: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [what, place, mode] of [
    ["folder", dirname(path), "700"],
    ["file", path, "600"],
    ["log", `${path}-wal`, "600"],
    ["log index", `${path}-shm`, "600"],
  ] as const) {
    const bits = await accessBits(place);
    if (bits === undefined || (bits & 0o077) === 0) continue;
    const found = `others may use the ${what} of session memory (${bits.toString(8)}): ${place}`;
    findings.push(problem("access_too_wide", found, `chmod ${mode} '${place}'`));
  }
  return findings;
}

/** Looks at every page of the file, and at the word indexes. */
export async function integrityFindings(database: Database): Promise<readonly Finding[]> {
  const pages = attempt(() =>
    database
      .all<{ quick_check: string }>(`PRAGMA quick_check(${MOST_NAMED})`)
      .map((row) => row.quick_check)
      .filter((line) => line !== "ok"),
  );
  const findings = pages.map((line) =>
    problem("store_damaged", `the store is damaged: ${line}`, RESTORE),
  );
  for (const table of ["message_words", "session_words"]) {
    const damage = await wordDamage(database, table);
    if (damage !== undefined) {
      const what = `the word index ${table} is damaged: ${damage}`;
      findings.push(problem("words_damaged", what, "pallium sessions index --force"));
    }
  }
  const missing = attempt(() => missingWords(database));
  return [
    ...findings,
    ...missing.map((what) => problem("words_missing", what, "pallium sessions index --force")),
  ];
}

function attempt(look: () => readonly string[]): readonly string[] {
  try {
    return look();
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Why a word index contradicts itself; `undefined` where it does not, or cannot be asked. */
async function wordDamage(database: Database, table: string): Promise<string | undefined> {
  try {
    await database.write((tx) =>
      tx.run(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`),
    );
    return undefined;
  } catch (error) {
    const isElsewhere = error instanceof PalliumError && !isCorrupt(error);
    return isElsewhere ? undefined : messageOf(error);
  }
}

function missingWords(database: Database): readonly string[] {
  const found = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM messages
     WHERE NOT EXISTS (SELECT 1 FROM message_words_docsize WHERE id = messages.key)`,
  );
  return found === undefined || found.n === 0
    ? []
    : [`${counted(found.n, "message")} cannot be found by words`];
}
