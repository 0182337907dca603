/** What a checkout holds under some paths at this moment. */
import { createLook, type FileKind } from "../../../platform/tree-files/look.ts";
import { storeFiles } from "../trees/store-files.ts";
import type { TreeEntry } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";

/** Nothing is known of a path that has nothing, or that leads through a symbolic link. */
export interface Now {
  /** Absent where there is no file that a tree can hold: nothing, a folder, one that cannot be read. */
  readonly entry?: TreeEntry;
  readonly kind?: FileKind;
  /** Changes when the file does. */
  readonly stamp?: string;
}

/**
 * Looks at files and puts their contents into the store.
 * @param expected what is there when nobody has changed it.
 */
export async function readNow(
  store: TreeStore,
  root: string,
  paths: readonly string[],
  expected: ReadonlyMap<string, TreeEntry>,
): Promise<ReadonlyMap<string, Now>> {
  const look = createLook(root);
  // Looked at before they are read: whoever writes in between gets noticed by the stamp.
  const looks = paths.map((path) => [path, look(path)] as const);
  const entries = await storeFiles(store, root, paths, expected);
  return new Map(
    looks.map(([path, found]) => {
      const entry = entries.get(path);
      return [path, { ...found, ...(entry && { entry }) }];
    }),
  );
}

export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob;
}

/** Whether a path holds just that; a folder counts as nothing, since trees have none. */
export function holds(found: Now | undefined, wanted: TreeEntry | undefined): boolean {
  return wanted === undefined ? isNoFile(found) : isSameEntry(found?.entry, wanted);
}

/** Whether nothing is there, or a folder. */
export function isNoFile(found: Pick<Now, "kind"> | undefined): boolean {
  return found?.kind === undefined || found.kind === "folder";
}
