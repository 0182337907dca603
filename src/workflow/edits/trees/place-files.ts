/** Puts files as trees have them into a working tree, byte for byte, each replaced as a whole. */
import { PalliumError } from "../../../lib/errors.ts";
import { checkedBlob } from "../../../platform/git/checked-blob.ts";
import { readBlobs } from "../../../platform/git/read-blobs.ts";
import type { FileMode } from "../../../platform/tree-files/look.ts";
import {
  type FileContent,
  type PlaceOptions,
  placeFile,
  removeFile,
} from "../../../platform/tree-files/place.ts";
import { SUBMODULE_MODE, type TreeChange, type TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

/** Of contents that are in memory at the same time. */
const BATCH_BYTES = 16 * 1024 * 1024;

/** A path and what it is to hold. */
export interface Placed {
  readonly path: string;
  readonly after: TreeEntry;
}

/**
 * Makes each path what its change says. What goes makes room for what comes. Nested repositories
 * are left as they are.
 * @throws PalliumError `edit_objects_lost`, before anything is done where one is missing; `path_outside`, `disk_full`,
 *   `permission_denied`, `io_failed`; then some paths are done.
 */
export async function placeFiles(
  store: TreeStore,
  root: string,
  changes: readonly Pick<TreeChange, "path" | "before" | "after">[],
  options: PlaceOptions,
): Promise<void> {
  const own = changes.filter(({ before, after }) => (after ?? before)?.mode !== SUBMODULE_MODE);
  const placed = own.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, after }]));
  await readSizes(store, placed);
  for (const { path, after } of own) if (after === undefined) await removeFile(root, path);
  await eachContent(store, placed, ({ path, mode }, content) =>
    placeFile(root, path, mode, content, options),
  );
}

/**
 * Hands over contents one after the other; large ones as they come.
 * @param take gets the mode that the file has in a working tree of this repository.
 * @throws PalliumError `edit_objects_lost` before the first one, or at the end of one that is not what
 *   its hash says; those of `take`.
 */
export async function eachContent<One extends Placed>(
  store: TreeStore,
  placed: readonly One[],
  take: (one: Omit<One, "after"> & { mode: FileMode }, content: FileContent) => Promise<void>,
): Promise<void> {
  const sizes = await readSizes(store, placed);
  const give = ({ after, ...one }: One, content: AsyncIterable<Uint8Array> | [Buffer]) => {
    const { mode, blob } = after;
    const isLink = mode === "120000" && store.kind.hasLinks;
    const named = { blob, size: sizes.get(blob) ?? 0 };
    const checked = checkedBlob(content, named, () => lost({ path: one.path, after }));
    return take({ ...one, mode: isLink ? mode : fileMode(mode) }, checked);
  };
  for (const batch of batches(placed, sizes)) {
    const [first] = batch;
    if (first !== undefined && (sizes.get(first.after.blob) ?? 0) > BATCH_BYTES) {
      await give(first, store.stream(["cat-file", "blob", first.after.blob]));
      continue;
    }
    const contents = await readContents(store, batch);
    for (const one of batch) {
      const content = contents.get(one.after.blob);
      if (content === undefined) throw lost(one);
      await give(one, [content]);
    }
  }
}

function fileMode(mode: string): FileMode {
  return mode === "100755" ? mode : "100644";
}

/** Pieces of the list whose contents together are no more than is kept in memory, or one alone. */
function* batches<One extends Placed>(
  placed: readonly One[],
  sizes: ReadonlyMap<string, number>,
): Generator<readonly One[]> {
  let batch: One[] = [];
  let bytes = 0;
  for (const one of placed) {
    const size = sizes.get(one.after.blob) ?? 0;
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Sizes of contents in bytes, by hash. @throws PalliumError `edit_objects_lost` */
async function readSizes(
  store: TreeStore,
  placed: readonly Placed[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = await findSizes(store, placed);
  for (const one of placed) if (!sizes.has(one.after.blob)) throw lost(one);
  return sizes;
}

/** Those whose contents are not in the store. */
export async function lostContents<One extends Placed>(
  store: TreeStore,
  placed: readonly One[],
): Promise<readonly One[]> {
  const sizes = await findSizes(store, placed);
  return placed.filter(({ after }) => !sizes.has(after.blob));
}

async function findSizes(
  store: TreeStore,
  placed: readonly Placed[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (placed.length === 0) return sizes;
  const { stdout } = await store.run(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    input: placed.map(({ after }) => `${after.blob}\n`).join(""),
  });
  for (const line of stdout.trimEnd().split("\n")) {
    const [blob = "", size] = line.split(" ");
    if (size !== "missing") sizes.set(blob, Number(size));
  }
  return sizes;
}

function lost({ path, after }: Placed): PalliumError {
  return new PalliumError("edit_objects_lost", `the content of ${path} is lost: ${after.blob}`, {
    hints: ["the run's patches hold it too: pallium workflow inspect says where they are"],
  });
}

async function readContents(
  store: TreeStore,
  placed: readonly Placed[],
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const blobs = new Set(placed.map(({ after }) => after.blob));
  await readBlobs(store, [...blobs], {}, (blob, content) =>
    contents.set(blob, Buffer.from(content)),
  );
  return contents;
}
