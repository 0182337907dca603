/** What the records of a repository need, for tests: a clock that stands, and notices that are kept. */
import type { RecordsPowers } from "../../src/repo/records/powers.ts";

export const NOW = "2026-12-02T12:00:00.000Z";

export interface TestRecordsPowers extends RecordsPowers {
  readonly notices: readonly string[];
}

/** @param now where the clock stands. */
export function recordsPowers(now = NOW): TestRecordsPowers {
  const notices: string[] = [];
  return {
    clock: { now: () => new Date(now), iso: () => now, monotonicMs: () => 0 },
    notice: (line) => notices.push(line),
    notices,
  };
}

const HOLD = `const { Database } = require("bun:sqlite");
  const connection = new Database(process.argv[1]);
  connection.run("BEGIN IMMEDIATE");
  connection.run("DELETE FROM tasks");
  process.stdout.write("held");
  process.stdin.resume();`;

/** Another process that has changed the records at `path` and does not commit, until disposed. */
export async function holdRecords(path: string): Promise<AsyncDisposable> {
  const child = Bun.spawn([process.execPath, "-e", HOLD, path], { stdin: "pipe", stdout: "pipe" });
  for await (const _held of child.stdout) break;
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
