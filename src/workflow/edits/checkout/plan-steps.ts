/** Which files of a checkout become what, so that changes which were made elsewhere get into it. */
import { byText } from "../../../lib/by-text.ts";
import { createLook } from "../../../platform/tree-files/look.ts";
import { SUBMODULE_MODE, type TreeChange, type TreeEntry } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { bringChange } from "./bring-change.ts";
import { obstacleTo } from "./obstacles.ts";
import { isNoFile, isSameEntry, type Now, readNow } from "./read-now.ts";

/** One file of the checkout: what it really was, and what it becomes. */
export type Step = TreeChange;

export interface Conflict {
  readonly path: string;
  /** As it reads after the path and a colon. */
  readonly reason: string;
}

export interface EditPlan {
  /** Sorted by path; contents of both sides are in the store. */
  readonly steps: readonly Step[];
  /** Files that are so already. */
  readonly already: readonly string[];
  /** With one of these nothing may be done. */
  readonly conflicts: readonly Conflict[];
  /** Nested repositories that change; they are left as they are. */
  readonly submodules: readonly string[];
}

/**
 * Looks at the checkout as it is; nothing is written to it, and its index is not even read.
 * @param root absolute top of the checkout.
 * @param layers changes to take over, each after the one before it.
 */
export async function planSteps(
  store: TreeStore,
  root: string,
  layers: readonly (readonly TreeChange[])[],
): Promise<EditPlan> {
  const changes = new Map<string, TreeChange[]>();
  const submodules = new Set<string>();
  for (const change of layers.flat()) {
    if (isOfSubmodule(change)) submodules.add(change.path);
    else changes.set(change.path, [...(changes.get(change.path) ?? []), change]);
  }
  const paths = [...changes.keys()].sort(byText);
  const now = await readNow(store, root, paths, expectedNow(changes));
  const steps: Step[] = [];
  const already: string[] = [];
  const conflicts: Conflict[] = [];
  for (const path of paths) {
    const found = now.get(path);
    const brought = await bringAll(store, changes.get(path) ?? [], found);
    if ("conflict" in brought) conflicts.push({ path, reason: brought.conflict });
    else if (isSameEntry(found?.entry, brought.entry)) already.push(path);
    else steps.push(stepOf(path, found?.entry, brought.entry));
  }
  conflicts.push(...blocked(root, steps, now));
  const byPath = (one: Conflict, other: Conflict) => byText(one.path, other.path);
  return { steps, already, conflicts: conflicts.sort(byPath), submodules: [...submodules] };
}

function isOfSubmodule({ before, after }: TreeChange): boolean {
  return before?.mode === SUBMODULE_MODE || after?.mode === SUBMODULE_MODE;
}

function expectedNow(
  changes: ReadonlyMap<string, readonly TreeChange[]>,
): ReadonlyMap<string, TreeEntry> {
  const entries = [...changes].flatMap(([path, [first]]): [string, TreeEntry][] => {
    const entry = first?.before ?? first?.after;
    return entry === undefined ? [] : [[path, entry]];
  });
  return new Map(entries);
}

async function bringAll(
  store: TreeStore,
  changes: readonly TreeChange[],
  found: Now | undefined,
): Promise<{ readonly entry?: TreeEntry } | { readonly conflict: string }> {
  if (found?.kind === "other") return { conflict: "what is there is neither a file nor a link" };
  let ours = found?.entry;
  if (ours === undefined && !isNoFile(found)) return { conflict: "it cannot be read" };
  for (const change of changes) {
    const brought = await bringChange(store, change, ours);
    if ("conflict" in brought) return brought;
    ours = brought.entry;
  }
  return ours === undefined ? {} : { entry: ours };
}

function stepOf(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined): Step {
  return { path, ...(before && { before }), ...(after && { after }) };
}

/** Steps that cannot be done for what stands in their way. */
function blocked(
  root: string,
  steps: readonly Step[],
  now: ReadonlyMap<string, Now>,
): readonly Conflict[] {
  const look = createLook(root);
  const removed = new Set(steps.flatMap(({ path, after }) => (after === undefined ? [path] : [])));
  return steps.flatMap(({ path, after }) => {
    if (after === undefined) return [];
    const reason = obstacleTo(root, path, now.get(path)?.kind, look, removed);
    return reason === undefined ? [] : [{ path, reason }];
  });
}
