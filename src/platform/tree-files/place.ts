/** Puts files into a working tree, and takes them out, by the paths that trees of git have. */
import { lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { besidePath, parentOf } from "../../lib/git-path.ts";
import { fileError, systemCode } from "../file-error.ts";
import type { FileMode } from "./look.ts";
import { pathBelow } from "./path-below.ts";

export interface PlaceOptions {
  /** Whether the file reaches the disk before this resolves. */
  readonly durable: boolean;
}

/** Nothing to remove, or a folder that has other files. */
const STAYS = ["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"];
const READ_BITS = 0o444;
const EXECUTE_BITS = 0o111;

/** Removes a file, and the folders that only it was in. */
export async function removeFile(root: string, path: string): Promise<void> {
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

/**
 * Writes one file, replacing what is there as a whole; folders are made on the way.
 * @param mode as git writes it; the content of a link is where it points to.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`; then what was there still is.
 */
export async function placeFile(
  root: string,
  path: string,
  mode: FileMode,
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
