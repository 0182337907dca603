/** Databases that other programs made and may be using: read, and left as they are to the byte. */
import { Database as Connection, constants } from "bun:sqlite";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError, systemCode } from "../file-error.ts";
import { createTransaction, type Reader } from "./database.ts";
import { databaseFailure } from "./failure.ts";
import { keepStatements } from "./statements.ts";

/** What SQLite keeps beside a database until it is merged into it, or taken back from it. */
const LOGS = ["-wal", "-journal"];

/**
 * Hands a database of another program to `read`. Where changes lie in a log beside it, a copy of
 * both is read, since SQLite would merge the one into the other.
 * @throws PalliumError `database_corrupt` when it is damaged, or none; `io_failed`,
 *   `permission_denied` and `disk_full`.
 */
export async function readForeignDatabase<T>(
  path: string,
  read: (reader: Reader) => T,
): Promise<T> {
  await using database = await openForeignDatabase(path);
  return read(database);
}

/** One that stays open between reads. */
export interface ForeignDatabase extends Reader, AsyncDisposable {}

/** @throws PalliumError as `readForeignDatabase`, and so do its reads. */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  const logs = await fullLogs(path);
  if (logs.length === 0) return foreign(() => openUnchanged(path), path);
  const copy = await copyDatabase(path, logs);
  const remove = async () => copy[Symbol.asyncDispose]();
  try {
    return foreign(() => new Connection(copy.path, { readwrite: true }), path, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

async function fullLogs(path: string): Promise<readonly string[]> {
  const sizes = await Promise.all(LOGS.map((suffix) => sizeOf(path + suffix)));
  return LOGS.filter((_, index) => sizes[index] !== 0);
}

/** In bytes; 0 where there is none. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw fileError(error, "read", path);
  }
}

interface DatabaseCopy extends AsyncDisposable {
  readonly path: string;
}

async function copyDatabase(path: string, logs: readonly string[]): Promise<DatabaseCopy> {
  const folder = await mkdtemp(join(tmpdir(), "pallium-copy-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.sqlite");
    for (const suffix of ["", ...logs]) await copyFile(path + suffix, copy + suffix);
    return { path: copy, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw fileError(error, "copy the database", path);
  }
}

/** SQLite is told that nobody writes: it then makes no file, and takes no lock. */
function openUnchanged(path: string): Connection {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Connection(`${Bun.pathToFileURL(path)}?immutable=1`, flags);
}

/** @param path names the database in errors. */
function foreign(
  open: () => Connection,
  path: string,
  removeCopy = async (): Promise<void> => {},
): ForeignDatabase {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw databaseFailure(error, path);
    }
  };
  const connection = attempt(open);
  const reader = createTransaction(keepStatements(connection));
  return {
    all: (sql, ...params) => attempt(() => reader.all(sql, ...params)),
    get: (sql, ...params) => attempt(() => reader.get(sql, ...params)),
    [Symbol.asyncDispose]: async () => {
      connection.close(true);
      await removeCopy();
    },
  };
}
