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

/**
 * What marks a database file as one of pallium: "Pllm", and "Plls" for session memory, which must not
 * be taken for the store of runs where `--db` names the one in place of the other.
 */
const APPLICATION_IDS = { records: 0x506c6c6d, sessions: 0x506c6c73 } as const;
export type DatabaseKind = keyof typeof APPLICATION_IDS;

/** What a database is to be: its kind, and its schema step by step. */
export interface Schema {
  readonly kind: DatabaseKind;
  readonly migrations: readonly Migration[];
}

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
  { kind, migrations }: Schema,
): number {
  const { owner, version, objects } = readHeader(connection);
  const empty = owner === 0 && version === 0 && objects === 0;
  if (!empty && owner !== APPLICATION_IDS[kind]) {
    const isOurs = Object.values<number>(APPLICATION_IDS).includes(owner);
    const whose = isOurs ? "holds other things of pallium's" : "belongs to another program";
    throw databaseCorrupt(path, `the database ${whose}: ${path}`);
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
export function migrate(connection: Connection, path: string, schema: Schema): void {
  const { kind, migrations } = schema;
  while (readVersion(connection, path, schema) < migrations.length) {
    immediately(connection, () => {
      const next = migrations[readVersion(connection, path, schema)];
      if (next === undefined) return;
      apply(connection, path, next);
      connection.run(`PRAGMA application_id = ${APPLICATION_IDS[kind]}`);
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
