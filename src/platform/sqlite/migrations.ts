import type { Database as Connection } from "bun:sqlite";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { databaseCorrupt, databaseFailure, databaseNewer } from "./failure.ts";
import { immediately } from "./transaction.ts";

/** A step of the schema. Steps are numbered from 1 without gaps, and frozen once released. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Any number of statements. */
  readonly sql: string;
}

/** "Pllm": marks a database file as one of pallium. */
const APPLICATION_ID = 0x506c6c6d;

/** A gap would make this program's own databases look newer than itself. */
export function assertNumbered(migrations: readonly Migration[]): void {
  if (migrations.every(({ version }, index) => version === index + 1)) return;
  throw new RangeError("migrations must be numbered 1, 2, 3 and so on, in this order");
}

/**
 * The version of a database's schema, 0 when it is empty.
 * @throws PalliumError `database_corrupt` when it belongs to another program, `database_newer`.
 */
export function readVersion(
  connection: Connection,
  path: string,
  migrations: readonly Migration[],
): number {
  const { owner, version, objects } = readHeader(connection);
  const empty = owner === 0 && version === 0 && objects === 0;
  if (!empty && owner !== APPLICATION_ID) {
    throw databaseCorrupt(path, `the database belongs to another program: ${path}`);
  }
  if (version > migrations.length) throw databaseNewer(path);
  return version;
}

interface Header {
  readonly owner: number;
  readonly version: number;
  readonly objects: number;
}

/** One statement, hence one moment: another process may be making the database just now. */
function readHeader(connection: Connection): Header {
  const header = connection
    .query<Header, []>(
      `SELECT application_id AS owner, user_version AS version,
         (SELECT count(*) FROM sqlite_schema) AS objects
       FROM pragma_application_id, pragma_user_version`,
    )
    .get();
  return header ?? { owner: 0, version: 0, objects: 0 };
}

/**
 * Brings the schema up to date, each step and its version in one transaction. Which step is next
 * is read inside it: another process may be taking them too.
 */
export function migrate(
  connection: Connection,
  path: string,
  migrations: readonly Migration[],
): void {
  while (readVersion(connection, path, migrations) < migrations.length) {
    immediately(connection, () => {
      const next = migrations[readVersion(connection, path, migrations)];
      if (next === undefined) return;
      apply(connection, path, next);
      connection.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      connection.run(`PRAGMA user_version = ${next.version}`);
    });
  }
}

function apply(connection: Connection, path: string, { version, name, sql }: Migration): void {
  try {
    connection.run(sql);
  } catch (error) {
    if (databaseFailure(error, path) !== error) throw error;
    const what = `migration ${version} (${name}) of ${path} failed: ${messageOf(error)}`;
    throw new PalliumError("migration_failed", what, {
      cause: error,
      hints: ["the database was left as it was; report this with the message above"],
    });
  }
}
