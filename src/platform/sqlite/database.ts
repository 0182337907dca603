import type { Database as Connection } from "bun:sqlite";
import { resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { connect } from "./connect.ts";
import { databaseFailure, databaseLocked } from "./failure.ts";
import type { DatabaseKind, Migration } from "./migrations.ts";
import { untilUnlocked } from "./patience.ts";
import { keepStatements, type Prepare } from "./statements.ts";
import { immediately } from "./transaction.ts";

export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

export interface Reader {
  /** All rows of a query. */
  all<Row>(sql: string, ...params: SqlValue[]): Row[];
  /** The first row of a query. */
  get<Row>(sql: string, ...params: SqlValue[]): Row | undefined;
}

export interface Transaction extends Reader {
  /** Executes one statement; `changes` counts the rows that it inserted, updated or deleted. */
  run(sql: string, ...params: SqlValue[]): { readonly changes: number };
}

/**
 * One connection to one file. Its failures are `database_locked`, `database_readonly`,
 * `database_corrupt`, `disk_full` and `io_failed`; errors of a statement itself come as SQLite's.
 */
export interface Database extends Reader, Disposable {
  /** Absolute path of the file. */
  readonly path: string;
  /**
   * Runs `work` in a transaction of its own: all of it is durable once this resolves, nothing of
   * it happened when this rejects. Writes take their turn in the order of their calls. While
   * another process writes, this one waits without stopping the event loop.
   * @param work must be synchronous, and may run more than once.
   */
  write<T>(work: (tx: Transaction) => T): Promise<T>;
  /**
   * Writes the whole file anew and empties its log, so that no byte of either is left of what was
   * deleted. Rejects with `database_locked` while others go on reading or writing.
   */
  compact(): Promise<void>;
  /** A number that differs from the last one when another connection has written since. */
  dataVersion(): number;
  /** Writes that have not begun reject with `database_closed`. */
  close(): void;
}

export interface DatabaseOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** `records` without; a database of another kind is refused. */
  readonly kind?: DatabaseKind;
  /** How long opening and each write go on trying while another process writes; 60,000 by default. */
  readonly busyTimeoutMs?: number;
  /** FULL, the default, survives a power cut; NORMAL may lose the last transactions in one. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** For much that is written at once: so many bytes of the file are kept in memory, and in the log. */
  readonly workingBytes?: number;
  /** Of a file that is made: large pages suit large rows. One that is there keeps its own. */
  readonly pageBytes?: number;
}

/**
 * Opens a database file, making it where there is none, and brings its schema up to date. A file
 * that may not be written opens for reading; its writes reject with `database_readonly`.
 * @throws PalliumError `database_newer` or `database_corrupt`, the file left as it was;
 *   `database_readonly` when it would have to be made or updated; those of `Database`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { migrations, kind = "records", synchronous = "FULL", workingBytes, pageBytes } = options;
  const patienceMs = options.busyTimeoutMs ?? 60_000;
  const path = resolve(options.path);
  try {
    const connection = await connect({
      path,
      schema: { kind, migrations },
      patienceMs,
      synchronous,
      workingBytes,
      pageBytes,
    });
    return createDatabase(path, patienceMs, connection);
  } catch (error) {
    throw databaseFailure(error, path);
  }
}

function createDatabase(path: string, patienceMs: number, connection: Connection): Database {
  const tx = createTransaction(keepStatements(connection));
  let closed = false;
  let lastWrite: Promise<unknown> = Promise.resolve();

  function attempt<T>(work: (tx: Transaction) => T): T {
    if (closed) throw new PalliumError("database_closed", `the database is closed: ${path}`);
    return immediately(connection, () => refusePromise(work(tx)));
  }

  function reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw databaseFailure(error, path);
    }
  }

  function close(): void {
    if (closed) return;
    closed = true;
    connection.close(true);
  }

  /** After the writes before it, as long as another process is in its way. */
  function inTurn<T>(work: () => T): Promise<T> {
    const result = lastWrite
      .then(() => untilUnlocked(path, patienceMs, work))
      .catch((error) => {
        throw databaseFailure(error, path);
      });
    lastWrite = Promise.allSettled([result]);
    return result;
  }

  return {
    path,
    all: (sql, ...params) => reading(() => tx.all(sql, ...params)),
    get: (sql, ...params) => reading(() => tx.get(sql, ...params)),
    write: (work) => inTurn(() => attempt(work)),
    compact: async () => {
      await inTurn(() => connection.run("VACUUM"));
      await inTurn(() => emptyLog(connection, path));
    },
    dataVersion: () => reading(() => dataVersion(tx)),
    close,
    [Symbol.dispose]: close,
  };
}

export function createTransaction(prepare: Prepare): Transaction {
  return {
    all: <Row>(sql: string, ...params: SqlValue[]) =>
      prepare<Row>(sql, params.length).all(...params),
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      prepare<Row>(sql, params.length).get(...params) ?? undefined,
    run: (sql, ...params) => prepare(sql, params.length).run(...params),
  };
}

/** @throws as a busy database does, while another connection needs what is in the log. */
function emptyLog(connection: Connection, path: string): void {
  const done = connection.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
  if (done?.busy === 1) throw databaseLocked(path, "its log is in use");
}

function dataVersion(reader: Reader): number {
  return reader.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
}

/** A transaction cannot stay open across an `await`: other work of this process would join it. */
function refusePromise<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError("the work of a transaction is synchronous");
  return result;
}
