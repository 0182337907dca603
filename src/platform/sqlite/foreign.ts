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
  const logs = await fullLogs(path);
  if (logs.length === 0) return readFrom(() => openUnchanged(path), read, path);
  await using copy = await copyDatabase(path, logs);
  return readFrom(() => new Connection(copy.path, { readwrite: true }), read, path);
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
function readFrom<T>(open: () => Connection, read: (reader: Reader) => T, path: string): T {
  try {
    using connection = open();
    return read(createTransaction(keepStatements(connection)));
  } catch (error) {
    throw databaseFailure(error, path);
  }
}
