/** `workflow diff`: what the edits of a run come to. */
import { resolve } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { exists, realPath } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { openObjects, placeOfCheckout } from "../apply/edit-repos.ts";
import { appliedTree, type RepoRecord, readRepoRecords } from "../apply/records.ts";
import { readPatch } from "../edits/trees/patch.ts";
import type { WorkflowPowers } from "../powers.ts";
import { assertNotCollected } from "../run/collected.ts";
import { assertNotFromGo } from "../run/origin.ts";
import { requireRun } from "../run/store.ts";
import { appliedTrees } from "./applied-trees.ts";
import { diffOfCall } from "./call-diff.ts";
import {
  conflictedCall,
  diffedCall,
  type EditCall,
  isEdit,
  type RunCall,
  readCalls,
} from "./edit-calls.ts";
import type { DiffState, RepoDiff } from "./repo-diff.ts";

export interface DiffRequest {
  readonly id: string;
  /** Id, key or label of the one call whose own patch is wanted. */
  readonly call?: string;
  /** What was really done to files of the checkouts, instead of what the agents did. */
  readonly applied?: boolean;
  /** A path in the one repository that is wanted. */
  readonly repo?: string;
}

/**
 * What the agents of a run changed, a repository after the other; none where nobody edited. Nothing
 * is written to the repositories, and nobody who edits them is waited for.
 * @throws PalliumError `run_not_found`, `run_collected`, `repo_not_found`, `edit_objects_lost`,
 *   `repo_not_edited`, `call_not_found`, `call_ambiguous`, `no_patches`
 */
export async function diffRun(
  powers: WorkflowPowers,
  database: Database,
  { id, call, applied = false, repo }: DiffRequest,
): Promise<readonly RepoDiff[]> {
  if (call !== undefined && (applied || repo !== undefined)) {
    throw usageError(`--call cannot go with ${applied ? "--applied" : "--repo"}`);
  }
  const run = requireRun(database, id);
  assertNotCollected(run, "shown as a diff");
  assertNotFromGo(run, "shown as a diff");
  const calls = readCalls(database, id);
  if (call !== undefined) return [await diffOfCall(calls, id, call)];
  const records = readRepoRecords(database, id);
  const chosen = repo === undefined ? records : [await recordAt(records, powers, repo)];
  const diffs: RepoDiff[] = [];
  for (const record of chosen) {
    const diff = await diffOfRepo(powers, id, record, { calls, applied });
    if (diff !== undefined) diffs.push(diff);
  }
  return diffs;
}

async function diffOfRepo(
  powers: WorkflowPowers,
  runId: string,
  record: RepoRecord,
  { calls, applied }: { readonly calls: readonly RunCall[]; readonly applied: boolean },
): Promise<RepoDiff | undefined> {
  const { base, staged, applications } = record;
  const edits = calls.filter(isEdit).filter(({ edit }) => edit.receipt.root === base.root);
  const counted = applied ? (applications.at(-1)?.calls ?? []) : staged.calls;
  const merged = counted.flatMap((callId) => edits.find(({ id }) => id === callId) ?? []);
  const conflicts = edits
    .filter(({ superseded }) => !superseded && !applied)
    .flatMap((call) => conflictedCall(call) ?? []);
  if (merged.length === 0 && conflicts.length === 0) return undefined;
  const store = await openObjects(powers, runId, await placeOfCheckout(powers, base.root));
  const trees = applied
    ? await appliedTrees(store, applications)
    : { from: base.start, to: staged.tree };
  return {
    root: base.root,
    base_commit: base.commit,
    state: stateOf(record, edits),
    calls: merged.map(diffedCall),
    conflicts,
    patch: () => readPatch(store, trees.from, trees.to),
  };
}

function stateOf(record: RepoRecord, edits: readonly EditCall[]): DiffState {
  if (record.applications.length > 0)
    return appliedTree(record) === record.staged.tree ? "applied" : "partly_applied";
  return edits.some(({ edit }) => edit.state === "reverted") ? "reverted" : "staged";
}

/** The one that a path lies in. */
async function recordAt(
  records: readonly RepoRecord[],
  { environment }: Pick<WorkflowPowers, "environment">,
  path: string,
): Promise<RepoRecord> {
  const absolute = resolve(environment.cwd, path);
  const asked = (await exists(absolute)) ? await realPath(absolute) : absolute;
  const around = records
    .filter(({ base }) => `${asked}/`.startsWith(`${base.root}/`))
    .sort((one, other) => other.base.root.length - one.base.root.length);
  const [found] = around;
  if (found !== undefined) return found;
  const roots = records.map(({ base }) => base.root);
  throw new PalliumError("repo_not_edited", `the run edited nothing in ${path}`, {
    hints: [roots.length === 0 ? "it edited nothing at all" : `it edited: ${roots.join(", ")}`],
  });
}
