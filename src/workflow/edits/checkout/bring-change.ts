/** Brings what was done to one file to the file as somebody else has it. */
import { mergeEntries } from "../trees/merge-entries.ts";
import type { TreeChange, TreeEntry } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { isSameEntry } from "./read-now.ts";

/** What the file becomes; without `entry` it goes. Or why it cannot become anything. */
export type Brought = { readonly entry?: TreeEntry } | { readonly conflict: string };

/**
 * Takes the change over where the file is as it was before, or where both changes go together. A
 * file that is so already stays.
 * @param ours what the file is now; absent where there is none.
 */
export async function bringChange(
  store: TreeStore,
  { before, after }: TreeChange,
  ours: TreeEntry | undefined,
): Promise<Brought> {
  if (isSameEntry(ours, before) || isSameEntry(ours, after)) return found(after);
  if (before === undefined) return { conflict: "another file is there" };
  if (after === undefined) return { conflict: "it was changed here, and is to go" };
  if (ours === undefined) return { conflict: "it was removed here, and is to be changed" };
  const merged = await mergeEntries(store, { base: before, ours, theirs: after });
  return merged === undefined
    ? { conflict: "it was changed here too, in a way that does not go together" }
    : found(merged);
}

function found(entry: TreeEntry | undefined): Brought {
  return entry === undefined ? {} : { entry };
}
