/** The records of triggers. What fires one changes its row only where it is still what was read. */
import { PalliumError } from "../../lib/errors.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { optional } from "../../lib/optional.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { TriggerKind, TriggerRecord } from "./types.ts";

export interface TriggerRow {
  readonly name: string;
  readonly kind: TriggerKind;
  readonly task: string;
  readonly cwd: string;
  readonly workflow_name: string | null;
  readonly script_path: string | null;
  readonly args_json: string | null;
  readonly schedule: string | null;
  readonly time_zone: string | null;
  readonly paths_json: string | null;
  readonly enabled: number;
  readonly last_run_id: string | null;
  readonly last_ran_at: string | null;
  readonly last_fingerprint: string | null;
  readonly next_due_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What firing changes. */
export type FiringState = Pick<
  TriggerRow,
  "last_run_id" | "last_ran_at" | "last_fingerprint" | "next_due_at"
>;

/** What a user says of a trigger. */
export type TriggerDefinition = Omit<
  TriggerRow,
  "last_run_id" | "last_ran_at" | "last_fingerprint" | "created_at" | "updated_at"
>;

export function triggerRecord(row: TriggerRow): TriggerRecord {
  return {
    name: row.name,
    kind: row.kind,
    task: row.task,
    cwd: row.cwd,
    ...optional({
      workflow_name: row.workflow_name ?? undefined,
      script_path: row.script_path ?? undefined,
      args_json: row.args_json ?? undefined,
      schedule: row.schedule ?? undefined,
      time_zone: row.time_zone ?? undefined,
      paths: row.paths_json === null ? undefined : pathsOf(row),
    }),
    enabled: row.enabled === 1,
    ...optional({
      last_run_id: row.last_run_id ?? undefined,
      last_ran_at: row.last_ran_at ?? undefined,
      last_fingerprint: row.last_fingerprint ?? undefined,
      next_due_at: row.next_due_at ?? undefined,
    }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function pathsOf({ paths_json: json }: Pick<TriggerRow, "paths_json">): readonly string[] {
  return json === null ? [] : (JSON.parse(json) as string[]);
}

/** The one whose definition changed last comes first. */
export function listTriggers(store: Reader): TriggerRow[] {
  return store.all<TriggerRow>("SELECT * FROM workflow_triggers ORDER BY updated_at DESC, name");
}

export function findTrigger(store: Reader, name: string): TriggerRow | undefined {
  return store.get<TriggerRow>("SELECT * FROM workflow_triggers WHERE name = ?", name);
}

/** @throws PalliumError `trigger_not_found` */
export function requireTrigger(store: Reader, name: string): TriggerRow {
  const row = findTrigger(store, name);
  if (row !== undefined) return row;
  const near = nearMatch(
    name,
    listTriggers(store).map((trigger) => trigger.name),
  );
  throw new PalliumError("trigger_not_found", `no workflow trigger is called ${name}`, {
    hints: [
      ...(near === undefined ? [] : [`did you mean ${near}?`]),
      "see them all: pallium workflow trigger list",
    ],
  });
}

/** Writes a definition; one of that name is replaced and keeps its age and what it did last. */
export function putTrigger(tx: Transaction, definition: TriggerDefinition, now: string): void {
  const fields = { ...definition, created_at: now, updated_at: now };
  const names = Object.keys(fields);
  const replaced = names.filter((name) => name !== "name" && name !== "created_at");
  tx.run(
    `INSERT INTO workflow_triggers (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (name) DO UPDATE SET ${replaced.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    ...Object.values(fields),
  );
}

/** @param nextDue of a trigger that is switched on: nothing was missed while it was off. */
export function switchTrigger(
  tx: Transaction,
  name: string,
  enabled: boolean,
  nextDue: string | null,
  now: string,
): void {
  tx.run(
    "UPDATE workflow_triggers SET enabled = ?, next_due_at = ?, updated_at = ? WHERE name = ?",
    enabled ? 1 : 0,
    nextDue,
    now,
    name,
  );
}

export function deleteTrigger(tx: Transaction, name: string): void {
  tx.run("DELETE FROM workflow_triggers WHERE name = ?", name);
}

/**
 * Puts down that a trigger fires, in one statement with the look whether it still is as it was seen.
 * @returns false where another process fired or changed it meanwhile.
 */
export function takeFiring(tx: Transaction, seen: TriggerRow, next: FiringState): boolean {
  const { changes } = tx.run(
    `UPDATE workflow_triggers
     SET last_run_id = ?, last_ran_at = ?, last_fingerprint = ?, next_due_at = ?
     WHERE name = ? AND enabled = 1 AND updated_at = ? AND last_run_id IS ? AND last_ran_at IS ?
       AND last_fingerprint IS ? AND next_due_at IS ?`,
    ...stateValues(next),
    seen.name,
    seen.updated_at,
    ...stateValues(seen),
  );
  return changes === 1;
}

/** Takes a firing back that came to nothing, unless the trigger has fired again or was changed since. */
export function restoreFiring(tx: Transaction, seen: TriggerRow, taken: FiringState): void {
  tx.run(
    `UPDATE workflow_triggers
     SET last_run_id = ?, last_ran_at = ?, last_fingerprint = ?, next_due_at = ?
     WHERE name = ? AND updated_at = ? AND last_run_id IS ? AND last_ran_at IS ?
       AND last_fingerprint IS ? AND next_due_at IS ?`,
    ...stateValues(seen),
    seen.name,
    seen.updated_at,
    ...stateValues(taken),
  );
}

function stateValues(state: FiringState): (string | null)[] {
  return [state.last_run_id, state.last_ran_at, state.last_fingerprint, state.next_due_at];
}
