/** Puts files as trees have them into a working tree, byte for byte, each replaced as a whole. */
import { PalliumError } from "../../lib/errors.ts";
import { readBlobs } from "../../platform/git/read-blobs.ts";
import type { FileMode } from "../../platform/tree-files/look.ts";
import { type PlaceOptions, placeFile, removeFile } from "../../platform/tree-files/place.ts";
import { SUBMODULE_MODE, type TreeChange, type TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

/** Contents that are in memory at the same time. */
const BATCH = 16;

/**
 * Makes each path what its change says. What goes makes room for what comes. Nested repositories
 * are left as they are.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`; then some paths are done.
 */
export async function placeFiles(
  store: TreeStore,
  root: string,
  changes: readonly Pick<TreeChange, "path" | "before" | "after">[],
  options: PlaceOptions,
): Promise<void> {
  const own = changes.filter(({ before, after }) => (after ?? before)?.mode !== SUBMODULE_MODE);
  for (const { path, after } of own) if (after === undefined) await removeFile(root, path);
  const placed = own.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, after }]));
  for (let from = 0; from < placed.length; from += BATCH) {
    const batch = placed.slice(from, from + BATCH);
    const contents = await readContents(
      store,
      batch.map(({ after }) => after.blob),
    );
    for (const { path, after } of batch) {
      const content = contents.get(after.blob);
      if (content === undefined) throw lost(path, after);
      await placeFile(root, path, after.mode as FileMode, content, options);
    }
  }
}

function lost(path: string, { blob }: TreeEntry): PalliumError {
  return new PalliumError("edit_objects_lost", `the content of ${path} is lost: ${blob}`, {
    hints: ["the run's patches hold it too: pallium workflow inspect says where they are"],
  });
}

async function readContents(
  store: TreeStore,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  await readBlobs(store, [...new Set(blobs)], {}, (blob, content) =>
    contents.set(blob, Buffer.from(content)),
  );
  return contents;
}
