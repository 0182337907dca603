import { Database as Connection, constants } from "bun:sqlite";
import { type Stats, statSync } from "node:fs";
import { createTransaction, type Reader } from "./database.ts";
import { keepStatements } from "./statements.ts";

/** For a program that locks all of it: what is read here is not worth more. */
const WAIT_MS = 50;

/**
 * Looks into a database that another program may be writing, without a change to it or a file beside
 * it. For what can be done without: where there is none, or it cannot be read, or `read` asks for
 * what it does not hold, the answer is `undefined`.
 */
export function peekIntoDatabase<T>(path: string, read: (reader: Reader) => T): T | undefined {
  const location = locationOf(path);
  if (location === undefined) return undefined;
  try {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
    const connection = new Connection(location, flags);
    try {
      connection.run(`PRAGMA busy_timeout = ${WAIT_MS}`);
      return read(createTransaction(keepStatements(connection)));
    } finally {
      connection.close(true);
    }
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") return undefined;
    throw error;
  }
}

/**
 * SQLite makes no file for a log whose index is there. Otherwise it is told that nobody writes, and
 * passes over a log.
 */
function locationOf(path: string): string | undefined {
  const look = (suffix: string): Stats | undefined =>
    statSync(path + suffix, { throwIfNoEntry: false });
  const found = look("");
  if (found?.isFile() !== true || found.size === 0) return undefined;
  const isLogged = (look("-wal")?.size ?? 0) > 0 && look("-shm") !== undefined;
  return Bun.pathToFileURL(path).href + (isLogged ? "" : "?immutable=1");
}
