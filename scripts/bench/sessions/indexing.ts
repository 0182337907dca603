/** How long an index takes and what it holds, beside the least program that makes one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { watchPeakMemory } from "../../../test/support/peak-memory.ts";
import { timeCommand } from "../measure.ts";
import { compileProgram, type Programs } from "../programs.ts";
import { row } from "./table.ts";

export interface SessionTools extends Programs {
  /** Reads every line, and stores its text and words in one go: no redaction, no way back. */
  readonly floor: string;
}

const FLOOR = `
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
for (const suffix of ["", "-wal", "-shm"]) rmSync("floor.sqlite" + suffix, { force: true });
const database = new Database("floor.sqlite");
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = NORMAL");
database.run("CREATE TABLE messages (key INTEGER PRIMARY KEY, text TEXT)");
database.run("CREATE VIRTUAL TABLE words USING fts5 (text, content='')");
const message = database.query("INSERT INTO messages (text) VALUES (?)");
const words = database.query("INSERT INTO words (rowid, text) VALUES (?, ?)");
const textOf = (value) =>
  typeof value === "string" ? value
  : Array.isArray(value) ? value.map(textOf).join("\\n")
  : value !== null && typeof value === "object"
    ? textOf(value.text ?? value.content ?? value.output ?? value.arguments ?? value.summary ?? value.input ?? "")
    : "";
database.run("BEGIN");
for (const root of [".claude", ".codex"].filter(existsSync)) {
  for (const name of readdirSync(root, { recursive: true })) {
    if (!name.endsWith(".jsonl")) continue;
    for (const line of readFileSync(root + "/" + name, "utf8").split("\\n")) {
      if (line === "") continue;
      const record = JSON.parse(line);
      const text = textOf(record.message ?? record.payload ?? "");
      if (text === "") continue;
      words.run(Number(message.run(text).lastInsertRowid), text);
    }
  }
}
database.run("COMMIT");
database.close();
`;

export function buildFloor(directory: string): string {
  return compileProgram(directory, "floor", FLOOR);
}

/** Once each: on corpora of this size the next time says the same. */
export async function coldIndex(tools: SessionTools, home: string, name: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  const place = { directory: home, env };
  const floorMs = await timeCommand([tools.floor], place);
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(home, `floor.sqlite${suffix}`), { force: true });
  rmSync(join(home, ".pallium"), { recursive: true, force: true });
  const begun = performance.now();
  const child = spawn(tools.pallium, ["sessions", "index"], { cwd: home, env, stdio: "ignore" });
  if (child.pid === undefined) throw new Error(`cannot start ${tools.pallium}`);
  const memory = process.platform === "linux" ? watchPeakMemory(child.pid) : undefined;
  const [status] = await once(child, "exit");
  const ms = performance.now() - begun;
  if (status !== 0) throw new Error(`sessions index ended with ${status}`);
  console.log(row(`cold index: ${name}`, [ms], "the least program", [floorMs]));
  const megabytes = Number(/(\d+) MB/.exec(name)?.[1]);
  const size = statSync(join(home, ".pallium", "sessions.sqlite")).size / 1e6;
  const peak = memory === undefined ? "?" : (memory.stop() / 1024 ** 2).toFixed(0);
  console.log(
    `  ${((1000 * megabytes) / ms).toFixed(1)} MB/s, ${peak} MB at once, store ${(size / megabytes).toFixed(2)} x of the transcripts`,
  );
}

const RUNS = 15;

export async function noChange(tools: SessionTools, home: string, name: string): Promise<void> {
  const place = { directory: home, env: { PATH: process.env.PATH ?? "", HOME: home } };
  const [times, baseline]: [number[], number[]] = [[], []];
  for (let round = 0; round < RUNS; round += 1) {
    baseline.push(await timeCommand([tools.empty], place));
    times.push(await timeCommand([tools.pallium, "sessions", "index"], place));
  }
  console.log(row(`index without a change: ${name}`, times, "an empty program", baseline));
}
