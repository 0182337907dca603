/** Copies one trigger of the Go program. */

import { type GoRow, integerOf, oneOf, textOf, textOrNull, timeOf } from "../../lib/go-row.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { insertRow } from "../run/insert-row.ts";

/** Kinds that mean something in the Go program: it takes any text, and starts the others by hand only. */
const KINDS = ["manual", "on-changed"] as const;

/** @returns false for a row that cannot be a trigger: nothing was written. */
export function copyGoTrigger(tx: Transaction, row: GoRow): boolean {
  const [name, createdAt] = [textOf(row, "name"), timeOf(row, "created_at")];
  if (name === "" || createdAt === undefined) return false;
  insertRow(tx, "workflow_triggers", {
    name,
    kind: oneOf(row, "kind", KINDS, "manual"),
    task: textOf(row, "task"),
    cwd: textOf(row, "cwd"),
    workflow_name: textOrNull(row, "workflow_name"),
    script_path: textOrNull(row, "script_path"),
    args_json: textOrNull(row, "args_json"),
    enabled: integerOf(row, "enabled") === 0 ? 0 : 1,
    last_run_id: textOrNull(row, "last_run_id"),
    last_ran_at: timeOf(row, "last_ran_at") ?? null,
    last_fingerprint: textOrNull(row, "last_fingerprint"),
    created_at: createdAt,
    updated_at: timeOf(row, "updated_at") ?? createdAt,
  });
  return true;
}
