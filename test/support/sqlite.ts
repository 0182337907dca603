/** A small database for tests, and real processes that use it. */
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/platform/sqlite/database.ts";
import type { Migration } from "../../src/platform/sqlite/migrations.ts";

export const COUNTER: readonly Migration[] = [
  {
    version: 1,
    name: "counter",
    sql: `CREATE TABLE counter (n INTEGER NOT NULL) STRICT;
          INSERT INTO counter VALUES (0);
          CREATE TABLE blobs (data BLOB NOT NULL) STRICT;`,
  },
];

export function openCounter(path: string, busyTimeoutMs = 30_000): Promise<Database> {
  return openDatabase({ path, migrations: COUNTER, busyTimeoutMs });
}

export function countOf(database: Database): number | undefined {
  return database.get<{ n: number }>("SELECT n FROM counter")?.n;
}

export function increment(database: Database): Promise<number> {
  return database.write((tx) => tx.run("UPDATE counter SET n = n + 1").changes);
}

const CHILD = join(import.meta.dir, "sqlite-child.ts");

/** The command line of a process that uses the database at `path`; see `sqlite-child.ts`. */
export function childCommand(action: string, path: string): string[] {
  return [process.execPath, CHILD, action, path];
}

export interface LockHolder extends AsyncDisposable {
  /** Gives up the lock by ending the process. */
  release(): Promise<void>;
  kill(): Promise<void>;
}

/** Another process that holds the write lock of a database, with a change it has not committed. */
export async function holdLock(path: string): Promise<LockHolder> {
  const child = Bun.spawn(childCommand("hold", path), { stdout: "pipe", stdin: "pipe" });
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    await child.exited;
  };
  for await (const _line of child.stdout) break;
  return {
    release: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}
