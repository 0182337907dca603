/** Three-way merge of one file. */
import { join } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import { writeNewFile } from "../../../platform/files.ts";
import type { TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

/** What a path is in three trees; absent where it is not in one. */
export interface Versions {
  readonly base?: TreeEntry;
  readonly ours?: TreeEntry;
  readonly theirs?: TreeEntry;
}

/** Above this `merge-file` says how it failed, below it counts conflicts. */
const MOST_CONFLICTS = 127;
const BINARY = /Cannot merge binary files/;
const REGULAR = /^100/;

/**
 * The file with both changes in it, its content in the store; `undefined` where they do not go
 * together: lines that both changed, a file that only one of them still has, binary content.
 */
export async function mergeEntries(
  store: TreeStore,
  { base, ours, theirs }: Versions,
): Promise<TreeEntry | undefined> {
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  if (![base, ours, theirs].every(({ mode }) => REGULAR.test(mode))) return undefined;
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  if (theirs.blob === base.blob || theirs.blob === ours.blob) return { mode, blob: ours.blob };
  if (ours.blob === base.blob) return { mode, blob: theirs.blob };
  const blob = await mergeContents(store, [ours.blob, base.blob, theirs.blob]);
  return blob === undefined ? undefined : { mode, blob };
}

async function mergeContents(
  store: TreeStore,
  blobs: readonly string[],
): Promise<string | undefined> {
  await using folder = await store.temporary();
  const files = ["ours", "base", "theirs"].map((name) => join(folder.path, name));
  for (const [index, blob] of blobs.entries()) {
    await writeNewFile(files[index] ?? "", store.stream(["cat-file", "blob", blob]));
  }
  const [merged = ""] = files;
  const okCodes = [...Array(MOST_CONFLICTS + 1).keys()];
  try {
    const { exitCode } = await store.run(["merge-file", ...files], { okCodes });
    if (exitCode !== 0) return undefined;
  } catch (error) {
    if (error instanceof PalliumError && BINARY.test(error.message)) return undefined;
    throw error;
  }
  const { stdout } = await store.run(["hash-object", "-w", "--no-filters", merged]);
  return stdout.trim();
}
