/** Puts files as trees have them into a working tree, byte for byte, each replaced as a whole. */
import { lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { PalliumError } from "../../lib/errors.ts";
import { besidePath, parentOf } from "../../lib/git-path.ts";
import { fileError, systemCode } from "../../platform/file-error.ts";
import { readBlobs } from "../../platform/git/read-blobs.ts";
import { pathBelow } from "../../platform/tree-path.ts";
import { SUBMODULE_MODE, type TreeChange, type TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

export interface PlaceOptions {
  /** Whether each file reaches the disk before the next one is begun. */
  readonly durable: boolean;
}

/** Contents that are in memory at the same time. */
const BATCH = 16;
/** Nothing to remove, or a folder that has other files. */
const STAYS = ["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"];
const READ_BITS = 0o444;
const EXECUTE_BITS = 0o111;

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
      await placeFile(root, path, after.mode, content, options);
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

/** Removes a file, and the folders that only it was in. */
async function removeFile(root: string, path: string): Promise<void> {
  try {
    await unlink(pathBelow(root, path));
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      await rmdir(pathBelow(root, folder));
    }
  } catch (error) {
    if (STAYS.includes(systemCode(error) ?? "")) return;
    throw fileError(error, "remove", `${root}/${path}`);
  }
}

async function placeFile(
  root: string,
  path: string,
  mode: string,
  content: Buffer,
  { durable }: PlaceOptions,
): Promise<void> {
  const target = pathBelow(root, path);
  const temporary = pathBelow(root, besidePath(path, `.pallium-${crypto.randomUUID()}.tmp`));
  try {
    await mkdir(pathBelow(root, parentOf(path)), { recursive: true });
    const permissions = await permissionsOf(target, mode);
    if (mode === "120000") await symlink(content, temporary);
    else await writeNew(temporary, content, permissions, durable);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileError(error, "write", `${root}/${path}`);
  }
}

async function writeNew(
  path: string | Buffer,
  content: Buffer,
  permissions: number,
  durable: boolean,
): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.chmod(permissions);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** Those of the file that is replaced, or of a new one, with or without the right to execute. */
async function permissionsOf(target: string | Buffer, mode: string): Promise<number> {
  const old = await lstat(target).catch(() => undefined);
  const base = old?.isFile() === true ? old.mode & 0o777 : 0o666 & ~process.umask();
  if (mode === "100755") return base | ((base & READ_BITS) >> 2);
  return base & ~EXECUTE_BITS;
}
