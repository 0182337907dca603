import type { Database as Connection } from "bun:sqlite";

/**
 * How long a read waits inside SQLite. Only another process that recovers or closes the database
 * is ever in its way, for milliseconds.
 */
export const READ_WAIT_MS = 1000;

/**
 * Runs `work` in a transaction that holds the write lock from its start, and undoes everything
 * when it throws. It never waits for the lock: then it throws SQLITE_BUSY at once.
 */
export function immediately<T>(connection: Connection, work: () => T): T {
  begin(connection);
  try {
    const result = work();
    connection.run("COMMIT");
    return result;
  } catch (error) {
    // A full disk makes SQLite undo the transaction itself.
    if (connection.inTransaction) connection.run("ROLLBACK");
    throw error;
  }
}

function begin(connection: Connection): void {
  connection.run("PRAGMA busy_timeout = 0");
  try {
    connection.run("BEGIN IMMEDIATE");
  } finally {
    connection.run(`PRAGMA busy_timeout = ${READ_WAIT_MS}`);
  }
}
