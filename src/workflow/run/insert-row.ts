import type { SqlValue, Transaction } from "../../platform/sqlite/database.ts";

/** Inserts one row; columns that are not named have their defaults. */
export function insertRow(
  tx: Transaction,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
): void {
  const names = Object.keys(row);
  tx.run(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ...Object.values(row),
  );
}
