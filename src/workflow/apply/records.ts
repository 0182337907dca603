/** What of a run's edits is in the user's checkouts, as the store has it. */
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { EndedChange } from "../edits/checkout/perform-change.ts";
import type { Step } from "../edits/checkout/plan-steps.ts";
import type { EditBase, StagedEdits } from "../edits/repo-edits.ts";
import type { ApplyState } from "../run/types.ts";

/** A change that is in a checkout. */
export interface Application {
  readonly id: string;
  readonly root: string;
  /** Tree that it came to. */
  readonly tree: string;
  readonly calls: readonly string[];
  /** What was really done to files. */
  readonly steps: readonly Step[];
}

/** The edits of a run in one repository, and what is applied of them. */
export interface RepoRecord {
  readonly base: EditBase;
  readonly staged: StagedEdits;
  /** The latest comes last. */
  readonly applications: readonly Application[];
}

/** What a change tells the store of its run once it is over. */
export interface ChangeNote {
  /** Absolute path of the store. */
  readonly store: string;
  readonly tree: string;
  readonly calls: readonly string[];
  /** Of a revert: what it takes back. */
  readonly applications: readonly string[];
}

interface BaseRow {
  readonly root: string;
  readonly base_commit: string;
  readonly base_tree: string;
  readonly start_tree: string;
  readonly staged_tree: string;
  readonly staged_calls: string;
}

interface ApplicationRow {
  readonly id: string;
  readonly root: string;
  readonly to_tree: string;
  readonly calls_json: string;
  readonly steps_json: string;
}

/** Of each repository that a run edited, in the order of their paths. */
export function readRepoRecords(reader: Reader, runId: string): readonly RepoRecord[] {
  const applications = reader
    .all<ApplicationRow>(
      `SELECT id, root, to_tree, calls_json, steps_json FROM workflow_applications
       WHERE run_id = ? AND state = 'applied' ORDER BY applied_at, id`,
      runId,
    )
    .map(applicationOf);
  return reader
    .all<BaseRow>("SELECT * FROM workflow_edit_bases WHERE run_id = ? ORDER BY root", runId)
    .map((row) => ({
      base: {
        root: row.root,
        commit: row.base_commit,
        tree: row.base_tree,
        start: row.start_tree,
      },
      staged: { root: row.root, tree: row.staged_tree, calls: texts(row.staged_calls) },
      applications: applications.filter(({ root }) => root === row.root),
    }));
}

/** What the run's edits in a checkout came to when they were applied last; what they began with before. */
export function appliedTree({ base, applications }: RepoRecord): string {
  return applications.at(-1)?.tree ?? base.start;
}

/** Patch files of calls, in the order of the calls. */
export function patchPaths(reader: Reader, calls: readonly string[]): readonly string[] {
  return calls.flatMap((callId) => {
    const sql = "SELECT patch_path FROM workflow_calls WHERE id = ?";
    return reader.get<{ patch_path: string | null }>(sql, callId)?.patch_path ?? [];
  });
}

/** Records a change that is over; of one that was undone there is nothing to say. */
export function recordChange(tx: Transaction, ended: EndedChange, now: string): void {
  const note = noteOf(ended.note);
  if (ended.outcome === "undone" || note === undefined) return;
  if (ended.kind === "apply") recordApplied(tx, ended, note, now);
  else recordReverted(tx, note, now);
}

function recordApplied(tx: Transaction, ended: EndedChange, note: ChangeNote, now: string): void {
  tx.run(
    `INSERT OR IGNORE INTO workflow_applications
       (id, run_id, root, to_tree, calls_json, steps_json, state, applied_at)
     VALUES (?, ?, ?, ?, ?, ?, 'applied', ?)`,
    ended.id,
    ended.runId,
    ended.root,
    note.tree,
    JSON.stringify(note.calls),
    JSON.stringify(ended.steps),
    now,
  );
  moveCalls(tx, droppedCalls(tx, ended, note.calls), "reverted");
  moveCalls(tx, note.calls, "applied");
}

/** Calls of which earlier applications to a checkout had edits, and the latest has none. */
function droppedCalls(
  tx: Transaction,
  { runId, root }: Pick<EndedChange, "runId" | "root">,
  kept: readonly string[],
): readonly string[] {
  const sql = `SELECT calls_json FROM workflow_applications
    WHERE run_id = ? AND root = ? AND state = 'applied'`;
  const calls = tx.all<Pick<ApplicationRow, "calls_json">>(sql, runId, root);
  return calls.flatMap(({ calls_json }) => texts(calls_json)).filter((id) => !kept.includes(id));
}

function recordReverted(tx: Transaction, note: ChangeNote, now: string): void {
  for (const id of note.applications) {
    tx.run(
      `UPDATE workflow_applications SET state = 'reverted', reverted_at = ?
       WHERE id = ? AND state = 'applied'`,
      now,
      id,
    );
  }
  moveCalls(tx, note.calls, "reverted");
}

function moveCalls(tx: Transaction, calls: readonly string[], state: ApplyState): void {
  for (const callId of calls) {
    tx.run("UPDATE workflow_calls SET apply_state = ? WHERE id = ?", state, callId);
  }
}

/** @returns `undefined` for the note of somebody else. */
export function noteOf(text: string): ChangeNote | undefined {
  const note = parseJson(text);
  return isRecord(note) && typeof note.store === "string"
    ? (note as unknown as ChangeNote)
    : undefined;
}

function applicationOf(row: ApplicationRow): Application {
  return {
    id: row.id,
    root: row.root,
    tree: row.to_tree,
    calls: texts(row.calls_json),
    steps: parseJson(row.steps_json) as unknown as readonly Step[],
  };
}

function texts(json: string): readonly string[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.map(String) : [];
}
