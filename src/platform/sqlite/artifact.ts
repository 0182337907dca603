/**
 * Databases of derived data. One is written as a whole beside the old one and then renamed over it,
 * so a reader sees the old or the new, never locks, and never waits; who holds the old one open goes
 * on reading it. Whatever interrupts the writer leaves the old one.
 */
import { Database as Connection, constants } from "bun:sqlite";
import { constants as fileConstants } from "node:fs";
import { copyFile, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileError, systemCode } from "../file-error.ts";
import type { Reader, SqlValue, Transaction } from "./database.ts";
import { databaseFailure, isDamage } from "./failure.ts";
import { keepStatements } from "./statements.ts";

/** A file that its writer has not touched for so long was left by one that is dead. */
const ABANDONED_MS = 10 * 60 * 1000;
const OWNER_ONLY = 0o600;
/** Shares the blocks where the file system can, and never writes over another's file. */
const COPY_FLAGS = fileConstants.COPYFILE_EXCL | fileConstants.COPYFILE_FICLONE;

/** Names one kind of artifact. */
export interface ArtifactFormat {
  /** Raised with every change of the schema or of what the data mean: others are as good as missing. */
  readonly version: number;
  /** The statements that make an empty one. */
  readonly schema: string;
}

export interface Artifact extends Reader, Disposable {
  /** Absolute path of the file. */
  readonly path: string;
  close(): void;
}

/**
 * Opens what was written last; `undefined` where there is none, or one that cannot be used: of
 * another version, or damaged.
 */
export async function openArtifact(
  path: string,
  { version }: ArtifactFormat,
): Promise<Artifact | undefined> {
  const absolute = resolve(path);
  if (!(await exists(absolute))) return undefined;
  try {
    return openReading(absolute, version);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw databaseFailure(error, absolute);
  }
}

function openReading(path: string, version: number): Artifact | undefined {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  const connection = new Connection(`${Bun.pathToFileURL(path).href}?immutable=1`, flags);
  try {
    const found = connection.query<{ user_version: number }, []>("PRAGMA user_version").get();
    if (found?.user_version !== version) {
      connection.close(true);
      return undefined;
    }
  } catch (error) {
    connection.close(true);
    throw error;
  }
  return artifactOf(connection, path);
}

/** One in memory that holds nothing, for those that ask what is not there yet. */
export function emptyArtifact({ schema }: ArtifactFormat): Artifact {
  const connection = new Connection(":memory:");
  connection.run(schema);
  return artifactOf(connection, ":memory:");
}

function artifactOf(connection: Connection, path: string): Artifact {
  const close = () => connection.close(true);
  return { path, ...readerOf(connection, path), close, [Symbol.dispose]: close };
}

export interface ArtifactOptions {
  readonly path: string;
  readonly format: ArtifactFormat;
  /** Whether to begin with a copy of the present one, which must be of this version. */
  readonly fromPresent: boolean;
}

/**
 * Writes a new artifact and puts it in the place of the old one.
 * @param work may await; what it throws leaves the old one as it was, and nothing else behind.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`.
 */
export async function writeArtifact<T>(
  { path, format, fromPresent }: ArtifactOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const target = resolve(path);
  await removeAbandoned(target);
  const temporary = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    await createFile(temporary, fromPresent ? target : undefined);
    // What is copied goes to the disk while the work waits for other things.
    const synced = fromPresent ? syncFile(temporary) : Promise.resolve();
    synced.catch(() => {}); // told below, unless something else has failed before
    const result = await fill(temporary, format, fromPresent, work);
    await synced;
    await putInPlace(temporary, target);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw databaseFailure(error, target);
  }
}

async function fill<T>(
  path: string,
  { version, schema }: ArtifactFormat,
  isFilled: boolean,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const connection = new Connection(path, { readwrite: true });
  try {
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"]) {
      connection.run(`PRAGMA ${pragma}`);
    }
    connection.run("BEGIN");
    if (!isFilled) connection.run(schema);
    const prepare = keepStatements(connection);
    const result = await work({
      ...readerOf(connection, path),
      run: (sql, ...params) => prepare(sql, params.length).run(...params),
    });
    connection.run(`PRAGMA user_version = ${version}`);
    connection.run("COMMIT");
    return result;
  } finally {
    connection.close(true);
  }
}

function readerOf(connection: Connection, path: string): Reader {
  const prepare = keepStatements(connection);
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw databaseFailure(error, path);
    }
  };
  return {
    all: <Row>(sql: string, ...params: SqlValue[]) =>
      reading(() => prepare<Row>(sql, params.length).all(...params)),
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      reading(() => prepare<Row>(sql, params.length).get(...params) ?? undefined),
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw fileError(error, "look at", path);
  }
}

async function createFile(path: string, copyOf: string | undefined): Promise<void> {
  try {
    if (copyOf === undefined) await (await open(path, "wx", OWNER_ONLY)).close();
    else await copyFile(copyOf, path, COPY_FLAGS);
  } catch (error) {
    throw fileError(error, "create", path);
  }
}

async function putInPlace(temporary: string, target: string): Promise<void> {
  try {
    await syncFile(temporary);
    await rename(temporary, target);
  } catch (error) {
    throw fileError(error, "write", target);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes what killed writers left beside it. */
async function removeAbandoned(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = `${basename(target)}.`;
  const now = Date.now();
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(".tmp")) continue;
    const path = join(folder, name);
    const left = await stat(path).catch(() => undefined);
    if (left !== undefined && now - left.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw fileError(error, "list", folder);
  }
}
