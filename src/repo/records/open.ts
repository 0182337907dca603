/** `records.sqlite`: tasks and verification runs of a repository. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { isFile } from "../../platform/files.ts";
import { type Database, openDatabase, type Reader } from "../../platform/sqlite/database.ts";
import { prepareDataFolder } from "../data-folder.ts";
import type { Repository } from "../identity.ts";
import { copyGoRecords, findGoDatabase } from "./go-database.ts";
import type { RecordsPowers } from "./powers.ts";
import { RECORDS_MIGRATIONS } from "./schema.ts";

/** Where the records of a repository are. */
export type RecordsPlace = Pick<Repository, "dataFolder" | "canonicalRoot">;

/** What is on record. */
export interface RecordsReader extends Reader, Disposable {
  /** Absent where there are no records, or none that can be read. */
  readonly write?: Database["write"];
  close(): void;
}

/** How long a command that only reads goes on trying while another process is in its way. */
const READING_PATIENCE_MS = 200;

/**
 * Opens the records for writing, making them where there are none. What the Go program recorded
 * is copied into them once.
 * @throws PalliumError those of `openDatabase`; `database_readonly` or `permission_denied` where
 *   they would have to be made and cannot.
 */
export async function openRecords(place: RecordsPlace, powers: RecordsPowers): Promise<Database> {
  await prepareDataFolder(place.dataFolder);
  const database = await openFile(place.dataFolder);
  try {
    await copyGoRecords(database, place.canonicalRoot, powers);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens the records for reading. Where there are none nothing is made, unless the Go program left
 * some to copy: they read as empty, as they do where their schema would have to be updated and
 * cannot be.
 */
export async function readRecords(
  place: RecordsPlace,
  powers: RecordsPowers,
): Promise<RecordsReader> {
  try {
    if (await isFile(recordsPath(place.dataFolder))) {
      return await openFile(place.dataFolder, READING_PATIENCE_MS);
    }
    if ((await findGoDatabase(place.canonicalRoot)) === undefined) return noRecords();
    return await openRecords(place, powers);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    powers.notice(`tasks and verification runs are left out: ${error.message}`);
    return noRecords();
  }
}

function openFile(folder: string, busyTimeoutMs?: number): Promise<Database> {
  return openDatabase({
    path: recordsPath(folder),
    migrations: RECORDS_MIGRATIONS,
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
  });
}

function recordsPath(folder: string): string {
  return join(folder, "records.sqlite");
}

function noRecords(): RecordsReader {
  return { all: () => [], get: () => undefined, close: () => {}, [Symbol.dispose]: () => {} };
}

function isUnwritable(error: unknown): error is PalliumError {
  if (!(error instanceof PalliumError)) return false;
  return error.code === "database_readonly" || error.code === "permission_denied";
}
