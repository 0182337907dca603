/** What SQLite reports, in the words of pallium. */
import { SQLiteError } from "bun:sqlite";
import { PalliumError } from "../../lib/errors.ts";

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** A file size limit or a quota ends here, where a full disk is `FULL`. */
const IOERR_WRITE = 778;
/** The shared index beside the database could not grow. */
const IOERR_SHMSIZE = 4874;

/** The result code without its extension. */
function primaryCode(error: SQLiteError): number {
  return error.errno & 0xff;
}

/** Whether another connection was in the way, so that the same attempt may succeed later. */
export function isBusy(thrown: unknown): boolean {
  if (thrown instanceof PalliumError) return thrown.code === "database_locked";
  return thrown instanceof SQLiteError && primaryCode(thrown) === BUSY;
}

/** Whether what was read is not what SQLite writes. */
export function isDamage(thrown: unknown): boolean {
  return thrown instanceof SQLiteError && [CORRUPT, NOTADB].includes(primaryCode(thrown));
}

/** Whether a database said, in the words of pallium, that it is damaged where it was used. */
export function isCorrupt(error: unknown): boolean {
  return error instanceof PalliumError && error.code === "database_corrupt";
}

/**
 * Converts what a use of the database threw. Errors of the statements themselves, such as a
 * violated constraint, are not the database's condition and stay as they are.
 */
export function databaseFailure(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof SQLiteError)) return thrown;
  if (thrown.errno === IOERR_WRITE || thrown.errno === IOERR_SHMSIZE) return full(path, thrown);
  switch (primaryCode(thrown)) {
    case BUSY:
      return databaseLocked(path, thrown);
    case READONLY:
      return databaseReadOnly(path, thrown);
    case CORRUPT:
    case NOTADB:
      return databaseCorrupt(path, `the database is damaged, or no database: ${path}`, thrown);
    case FULL:
      return full(path, thrown);
    case CANTOPEN:
    case IOERR:
      return unusable(path, thrown);
    default:
      return thrown;
  }
}

export function databaseLocked(path: string, cause: unknown): PalliumError {
  return new PalliumError("database_locked", `another process keeps the database locked: ${path}`, {
    cause,
    hints: [`try again once it is done; see which one it is with: lsof ${path}`],
  });
}

export function databaseReadOnly(path: string, cause?: unknown): PalliumError {
  return new PalliumError("database_readonly", `the database cannot be written: ${path}`, {
    cause,
    hints: ["make the file and its folder writable, or name another database with --db"],
  });
}

export function databaseCorrupt(path: string, message: string, cause?: unknown): PalliumError {
  return new PalliumError("database_corrupt", message, {
    cause,
    hints: [`restore it from a backup, or move it away to begin with an empty one: ${path}`],
  });
}

export function databaseNewer(path: string): PalliumError {
  return new PalliumError("database_newer", `a newer pallium has written the database: ${path}`, {
    hints: ["update pallium, or name another database with --db; this one was left as it is"],
  });
}

function full(path: string, cause: unknown): PalliumError {
  return new PalliumError("disk_full", `no space left to write the database: ${path}`, {
    cause,
    hints: ["free some space on that disk, or raise the quota or file size limit, and try again"],
  });
}

function unusable(path: string, error: SQLiteError): PalliumError {
  return new PalliumError("io_failed", `cannot use the database ${path}: ${error.message}`, {
    cause: error,
    hints: ["see that the file and its folder can be read and written, and that the disk works"],
  });
}
