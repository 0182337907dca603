/** The calls of a run, as far as it matters what they edited. */
import { PalliumError } from "../../lib/errors.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { othersPatch } from "../edits/trees/patch.ts";
import type { ApplyState, EditReceipt } from "../run/types.ts";
import type { ConflictedCall, DiffedCall } from "./repo-diff.ts";

export interface RunCall {
  readonly id: string;
  /** By which a resume recognises it. */
  readonly key: string;
  readonly label: string;
  readonly phase: string;
  /** A later attempt at the same call stands for it. */
  readonly superseded: boolean;
  /** Absolute path of the working tree it was in, which may be gone; absent where it had none. */
  readonly worktree?: string;
  /** Absent where nothing of an edit is on record. */
  readonly edit?: Edit;
}

interface Edit {
  readonly state: ApplyState;
  readonly receipt: EditReceipt;
}

export type EditCall = RunCall & { readonly edit: Edit };

interface CallRow {
  readonly id: string;
  readonly call_key: string;
  readonly label: string;
  readonly phase: string;
  readonly superseded: number;
  readonly worktree: string | null;
  readonly apply_state: ApplyState | null;
  readonly receipt_json: string | null;
}

const MOST_NAMED = 10;

/** All calls of a run, in the order in which they started. */
export function readCalls(reader: Reader, runId: string): readonly RunCall[] {
  const sql = `SELECT id, call_key, label, phase, superseded, worktree, apply_state, receipt_json
    FROM workflow_calls WHERE run_id = ? ORDER BY call_index`;
  return reader.all<CallRow>(sql, runId).map((row) => ({
    id: row.id,
    key: row.call_key,
    label: row.label,
    phase: row.phase,
    superseded: row.superseded === 1,
    ...(row.worktree === null ? {} : { worktree: row.worktree }),
    ...editOf(row),
  }));
}

function editOf({ apply_state: state, receipt_json: json }: CallRow): Pick<RunCall, "edit"> {
  if (state === null || json === null) return {};
  return { edit: { state, receipt: JSON.parse(json) as EditReceipt } };
}

export function isEdit(call: RunCall): call is EditCall {
  return call.edit !== undefined;
}

export function diffedCall({ id, label, phase, edit: { state, receipt } }: EditCall): DiffedCall {
  return {
    id,
    ...(label === "" ? {} : { label }),
    ...(phase === "" ? {} : { phase }),
    state,
    patch_path: receipt.patch,
  };
}

/** @returns `undefined` of a call whose edit went together with the others. */
export function conflictedCall(call: EditCall): ConflictedCall | undefined {
  const { state, receipt } = call.edit;
  if (state !== "conflict") return undefined;
  const { conflicts: paths = [], patch } = receipt;
  return { ...diffedCall(call), paths, others_path: othersPatch(patch) };
}

/**
 * The call that a user names by id, key or label; of several attempts at one call the latest.
 * @throws PalliumError `call_not_found`, `call_ambiguous`
 */
export function findCall(calls: readonly RunCall[], name: string): RunCall {
  const exact = calls.filter(({ id, key }) => id === name || key === name).at(-1);
  if (exact !== undefined) return exact;
  const labelled = calls.filter(({ label, superseded }) => label === name && !superseded);
  const edited = labelled.filter(isEdit);
  const [first, ...others] = edited.length > 0 ? edited : labelled;
  if (first === undefined) throw callNotFound(calls, name);
  if (others.length > 0) throw callAmbiguous([first, ...others], name);
  return first;
}

function callNotFound(calls: readonly RunCall[], name: string): PalliumError {
  return new PalliumError("call_not_found", `no call of the run is called ${oneLine(name)}`, {
    hints: [whoEdited(calls)],
  });
}

/** For whoever named another one. */
export function whoEdited(calls: readonly RunCall[]): string {
  const edited = calls.filter(isEdit).map(({ id, label }) => label || id);
  if (edited.length === 0) return "no agent of the run edited anything";
  return `those that edited: ${listed([...new Set(edited)])}`;
}

function callAmbiguous(calls: readonly RunCall[], name: string): PalliumError {
  return new PalliumError(
    "call_ambiguous",
    `${calls.length} calls of the run are labelled ${oneLine(name)}`,
    { hints: [`name one by its id: ${listed(calls.map(({ id }) => id))}`] },
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).map((name) => oneLine(name));
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}
