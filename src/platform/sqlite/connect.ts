/** Opening a connection: the file is looked at without a change before it is set up for writing. */
import { Database as Connection, constants } from "bun:sqlite";
import { statSync } from "node:fs";
import { databaseReadOnly } from "./failure.ts";
import { prepareFile } from "./file.ts";
import { assertNumbered, migrate, readVersion, type Schema } from "./migrations.ts";
import { unlessTorn, untilUnlocked } from "./patience.ts";
import { READ_WAIT_MS } from "./transaction.ts";

export interface ConnectOptions {
  /** Absolute. */
  readonly path: string;
  readonly schema: Schema;
  readonly patienceMs: number;
  readonly synchronous: "FULL" | "NORMAL";
  /** SQLite's own measure where `undefined`. */
  readonly workingBytes: number | undefined;
  /** SQLite's own where `undefined`. */
  readonly pageBytes: number | undefined;
}

/**
 * Opens a database that is up to date, making it where there is none. The connection reads only
 * where the file or its folder allows no more.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { path, schema, patienceMs } = options;
  assertNumbered(schema.migrations);
  const writable = await prepareFile(path);
  const reader = await unlessTorn(() =>
    untilUnlocked(path, patienceMs, () => openReading(options, writable)),
  );
  if (!writable) return reader;
  reader.close(true);
  return untilUnlocked(path, patienceMs, () => openWriting(options));
}

function openReading({ path, schema }: ConnectOptions, writable: boolean): Connection {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return setUp(new Connection(readingLocation(path), flags), (connection) => {
    connection.run(`PRAGMA busy_timeout = ${READ_WAIT_MS}`);
    const version = readVersion(connection, path, schema);
    if (!writable && version < schema.migrations.length) throw databaseReadOnly(path);
  });
}

/**
 * Without a log of unmerged changes SQLite is told that nobody writes: it then neither needs nor
 * leaves any other file in the folder.
 */
function readingLocation(path: string): string {
  const unmerged = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return Bun.pathToFileURL(path).href + (unmerged === 0 ? "?immutable=1" : "");
}

function openWriting(options: ConnectOptions): Connection {
  const { path, schema, synchronous, workingBytes, pageBytes } = options;
  return setUp(new Connection(path, { readwrite: true }), (connection) => {
    connection.run(`PRAGMA busy_timeout = ${READ_WAIT_MS}`);
    if (pageBytes !== undefined) connection.run(`PRAGMA page_size = ${pageBytes}`);
    connection.run("PRAGMA journal_mode = WAL");
    connection.run("PRAGMA foreign_keys = ON");
    connection.run(`PRAGMA synchronous = ${synchronous}`);
    // On macOS an fsync alone leaves data in the disk's own cache; elsewhere this does nothing.
    connection.run(`PRAGMA fullfsync = ${synchronous === "FULL" ? "ON" : "OFF"}`);
    if (workingBytes !== undefined) {
      connection.run(`PRAGMA cache_size = ${-Math.ceil(workingBytes / 1024)}`);
      connection.run(
        `PRAGMA wal_autocheckpoint = ${Math.ceil(workingBytes / pageBytesOf(connection))}`,
      );
    }
    migrate(connection, path, schema);
  });
}

function pageBytesOf(connection: Connection): number {
  return connection.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 4096;
}

function setUp(connection: Connection, steps: (connection: Connection) => void): Connection {
  try {
    steps(connection);
    return connection;
  } catch (error) {
    connection.close(true);
    throw error;
  }
}
