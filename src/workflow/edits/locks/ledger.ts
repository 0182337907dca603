/**
 * Who edits a repository, and which changes to a checkout are under way. It lies in the git
 * directory that all working trees share, so that runs of different stores meet in it.
 */
import { PalliumError } from "../../../lib/errors.ts";
import { type Database, openDatabase } from "../../../platform/sqlite/database.ts";
import type { Migration } from "../../../platform/sqlite/migrations.ts";
import { ledgerFile, ledgerFolder } from "./ledger-folder.ts";

export type Ledger = Database;

const LOCKS_AND_INTENTS = `
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  holds INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  root TEXT NOT NULL,
  owner TEXT NOT NULL,
  acquired_at TEXT NOT NULL,
  refreshed_at TEXT NOT NULL
) STRICT;

CREATE TABLE intents (
  id TEXT PRIMARY KEY,
  lock_token TEXT NOT NULL,
  run_id TEXT NOT NULL,
  root TEXT NOT NULL,
  objects TEXT NOT NULL,
  kind TEXT NOT NULL,
  note TEXT NOT NULL,
  folders TEXT NOT NULL,
  state TEXT NOT NULL,
  left_alone TEXT NOT NULL DEFAULT '[]',
  begun_at TEXT NOT NULL
) STRICT;

CREATE TABLE intent_steps (
  intent_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  path TEXT NOT NULL,
  before_mode TEXT,
  before_blob TEXT,
  after_mode TEXT,
  after_blob TEXT,
  PRIMARY KEY (intent_id, ordinal)
) STRICT, WITHOUT ROWID;
`;

const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "locks and intents", sql: LOCKS_AND_INTENTS },
];

/** Of a folder or file that this user may not write. */
const CLOSED_TO_US = ["database_readonly", "permission_denied"];

/**
 * Opens the ledger of a repository, making it where there is none.
 * @param commonDir absolute git directory that its working trees share.
 * @throws PalliumError `repository_readonly`, `database_newer`, `database_corrupt`, `disk_full`, `io_failed`.
 */
export async function openLedger(commonDir: string): Promise<Ledger> {
  const path = ledgerFile(commonDir);
  try {
    const ledger = await openDatabase({ path, migrations: MIGRATIONS });
    try {
      // One that may only be read opens all the same.
      await ledger.write((tx) => tx.run("DELETE FROM locks WHERE false"));
      return ledger;
    } catch (error) {
      ledger.close();
      throw error;
    }
  } catch (error) {
    throw inWordsOfEdits(error, commonDir);
  }
}

function inWordsOfEdits(error: unknown, commonDir: string): unknown {
  if (!(error instanceof PalliumError)) return error;
  if (CLOSED_TO_US.includes(error.code)) {
    return new PalliumError(
      "repository_readonly",
      `the git directory of the repository cannot be written: ${commonDir}`,
      {
        cause: error,
        hints: [
          `edits are kept apart there: make it writable, with what is in it: ls -ld ${ledgerFolder(commonDir)}`,
        ],
      },
    );
  }
  if (error.code !== "database_newer") return error;
  return new PalliumError(error.code, error.message, {
    cause: error,
    hints: ["update pallium: a newer one has edited this repository"],
  });
}
