/** Databases that other programs made and may be using: read, and left as they are to the byte. */
import { Database as Connection, constants } from "bun:sqlite";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fileError, systemCode } from "../file-error.ts";
import { createTransaction, type Reader } from "./database.ts";
import { databaseFailure } from "./failure.ts";
import { keepStatements } from "./statements.ts";

/**
 * Hands a database of another program to `read`. Where a log of unmerged changes lies beside it,
 * a copy of both is read, since SQLite would merge the one into the other.
 * @throws PalliumError `database_corrupt` when it is damaged, or none; `io_failed`,
 *   `permission_denied` and `disk_full`.
 */
export async function readForeignDatabase<T>(
  path: string,
  read: (reader: Reader) => T,
): Promise<T> {
  if ((await logSize(path)) === 0) return readFrom(() => openUnchanged(path), read, path);
  const folder = await mkdtemp(join(tmpdir(), "pallium-copy-"));
  try {
    const copy = join(folder, "copy.sqlite");
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`);
    return readFrom(() => new Connection(copy, { readwrite: true }), read, path);
  } catch (error) {
    throw systemCode(error) === undefined ? error : fileError(error, "read the database", path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes of the log of unmerged changes; 0 where there is none. */
async function logSize(path: string): Promise<number> {
  try {
    return (await stat(`${path}-wal`)).size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw fileError(error, "read the database", path);
  }
}

/** SQLite is told that nobody writes: it then makes no file, and takes no lock. */
function openUnchanged(path: string): Connection {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Connection(`${pathToFileURL(path)}?immutable=1`, flags);
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
