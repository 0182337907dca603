/** Compiles pallium, and the programs it is held against, as releases are compiled. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Programs {
  readonly pallium: string;
  /** Does nothing. */
  readonly empty: string;
  /** Writes 1,000 rows to a database, each in a durable transaction of its own. */
  readonly transactions: string;
}

const TRANSACTIONS = `
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
for (const suffix of ["", "-wal", "-shm"]) rmSync("loop.sqlite" + suffix, { force: true });
const database = new Database("loop.sqlite");
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run("CREATE TABLE calls (id INTEGER PRIMARY KEY, prompt TEXT, answer TEXT)");
const insert = database.query("INSERT INTO calls (prompt, answer) VALUES (?, ?)");
for (let index = 0; index < 1000; index += 1) insert.run("item " + index, "answer");
database.close();
`;

export function buildPrograms(directory: string): Programs {
  const pallium = join(directory, "pallium");
  build(["node", join(ROOT, "scripts/build.mjs"), "--outfile", pallium]);
  return {
    pallium,
    empty: compileProgram(directory, "empty", "export {};\n"),
    transactions: compileProgram(directory, "transactions", TRANSACTIONS),
  };
}

export function compileProgram(directory: string, name: string, source: string): string {
  const entry = join(directory, `${name}.ts`);
  const outfile = join(directory, name);
  writeFileSync(entry, source);
  build([
    process.execPath,
    "build",
    "--compile",
    "--bytecode",
    "--format=esm",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    `--outfile=${outfile}`,
    entry,
  ]);
  return outfile;
}

function build([program = "", ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`cannot build: ${program} ${args.join(" ")}\n${stderr}`);
}
