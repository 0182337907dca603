/**
 * What is about to be done to a checkout, on record before the first file is touched, until it is
 * done or undone and its run was told. Whoever writes here holds the lock of the repository.
 */
import { PalliumError } from "../../../lib/errors.ts";
import { parseJson } from "../../../lib/json.ts";
import { removeIfThere, writeFileDurable } from "../../../platform/files.ts";
import type { Transaction } from "../../../platform/sqlite/database.ts";
import type { Ledger } from "../locks/ledger.ts";
import { unfinishedMarker } from "../locks/ledger-folder.ts";
import type { TreeEntry } from "../trees/tree.ts";
import type { Step } from "./plan-steps.ts";

/** A change of many files, of which all become what they are to be, or none. */
export interface Change {
  readonly runId: string;
  /** Absolute top of the checkout. */
  readonly root: string;
  /** Absolute folder of the run's objects. */
  readonly objects: string;
  readonly kind: "apply" | "revert";
  /** What the run's store is told with it, in the words of whoever tells it. */
  readonly note: string;
  readonly steps: readonly Step[];
}

/** Where a change stands: it goes on, goes back, went all the way, or is back where it began. */
export type IntentState = "forward" | "back" | "done" | "undone";

export interface Intent extends Change {
  readonly id: string;
  /** Holding of the repository's lock under which it began. */
  readonly lockToken: string;
  /** Folders that were there before, and that an undone change must leave there. */
  readonly folders: readonly string[];
  readonly state: IntentState;
  /** Files that match neither what was nor what was to be; they stay as they are. */
  readonly leftAlone: readonly string[];
  readonly begunAt: string;
}

interface IntentRow {
  readonly id: string;
  readonly lock_token: string;
  readonly run_id: string;
  readonly root: string;
  readonly objects: string;
  readonly kind: string;
  readonly note: string;
  readonly folders: string;
  readonly state: IntentState;
  readonly left_alone: string;
  readonly begun_at: string;
}

interface StepRow {
  readonly path: string;
  readonly before_mode: string | null;
  readonly before_blob: string | null;
  readonly after_mode: string | null;
  readonly after_blob: string | null;
}

/**
 * Puts a change on record.
 * @param commonDir git directory in which the ledger lies.
 * @throws PalliumError `edits_unfinished` while another one of the same checkout is.
 */
export async function beginIntent(
  ledger: Ledger,
  commonDir: string,
  intent: Omit<Intent, "state" | "leftAlone">,
): Promise<void> {
  await writeFileDurable(unfinishedMarker(commonDir), "");
  await ledger.write((tx) => {
    const open = tx.get<{ run_id: string }>(
      "SELECT run_id FROM intents WHERE root = ? AND state IN ('forward', 'back')",
      intent.root,
    );
    if (open !== undefined) throw unfinished(intent.root, open.run_id);
    insert(tx, intent);
  });
}

function unfinished(root: string, runId: string): PalliumError {
  const what = `a change to ${root} by run ${runId} is neither finished nor undone`;
  return new PalliumError("edits_unfinished", what, {
    hints: [`pallium workflow apply ${runId} goes on with it, and says what is in the way`],
  });
}

function insert(tx: Transaction, intent: Omit<Intent, "state" | "leftAlone">): void {
  const { id, lockToken, runId, root, objects, kind, note, folders, begunAt, steps } = intent;
  tx.run(
    `INSERT INTO intents
       (id, lock_token, run_id, root, objects, kind, note, folders, state, begun_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'forward', ?)`,
    id,
    lockToken,
    runId,
    root,
    objects,
    kind,
    note,
    JSON.stringify(folders),
    begunAt,
  );
  for (const [ordinal, { path, before, after }] of steps.entries()) {
    tx.run(
      "INSERT INTO intent_steps VALUES (?, ?, ?, ?, ?, ?, ?)",
      id,
      ordinal,
      path,
      before?.mode ?? null,
      before?.blob ?? null,
      after?.mode ?? null,
      after?.blob ?? null,
    );
  }
}

/** Records that a change turned, or ended. */
export async function moveIntent(
  ledger: Ledger,
  id: string,
  state: IntentState,
  leftAlone: readonly string[] = [],
): Promise<void> {
  await ledger.write((tx) =>
    tx.run(
      "UPDATE intents SET state = ?, left_alone = ? WHERE id = ?",
      state,
      JSON.stringify(leftAlone),
      id,
    ),
  );
}

/** Takes a change off the record: its run was told. */
export async function forgetIntent(ledger: Ledger, commonDir: string, id: string): Promise<void> {
  await ledger.write((tx) => {
    tx.run("DELETE FROM intent_steps WHERE intent_id = ?", id);
    tx.run("DELETE FROM intents WHERE id = ?", id);
  });
  await clearMarker(ledger, commonDir);
}

/** Has later commands look no further, where nothing is on record. */
export async function clearMarker(ledger: Ledger, commonDir: string): Promise<void> {
  if (ledger.get("SELECT 1 AS one FROM intents") !== undefined) return;
  await removeIfThere(unfinishedMarker(commonDir));
}

/** All that is on record, the oldest first. */
export function readIntents(ledger: Pick<Ledger, "all">): readonly Intent[] {
  const rows = ledger.all<IntentRow>("SELECT * FROM intents ORDER BY begun_at, id");
  return rows.map((row) => ({
    id: row.id,
    lockToken: row.lock_token,
    runId: row.run_id,
    root: row.root,
    objects: row.objects,
    kind: row.kind === "revert" ? "revert" : "apply",
    note: row.note,
    folders: textsIn(row.folders),
    state: row.state,
    leftAlone: textsIn(row.left_alone),
    begunAt: row.begun_at,
    steps: ledger
      .all<StepRow>(
        `SELECT path, before_mode, before_blob, after_mode, after_blob FROM intent_steps
         WHERE intent_id = ? ORDER BY ordinal`,
        row.id,
      )
      .map(stepOf),
  }));
}

function textsIn(json: string): readonly string[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

function stepOf(row: StepRow): Step {
  const before = entryOf(row.before_mode, row.before_blob);
  const after = entryOf(row.after_mode, row.after_blob);
  return { path: row.path, ...(before && { before }), ...(after && { after }) };
}

function entryOf(mode: string | null, blob: string | null): TreeEntry | undefined {
  return mode === null || blob === null ? undefined : { mode, blob };
}
