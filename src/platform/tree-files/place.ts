/** Puts files into a working tree, and takes them out, by the paths that trees of git have. */
import { lstatSync } from "node:fs";
import { lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { PalliumError } from "../../lib/errors.ts";
import { besidePath, parentOf } from "../../lib/git-path.ts";
import { fileError, systemCode } from "../file-error.ts";
import type { FileMode } from "./look.ts";
import { pathBelow } from "./path-below.ts";

export interface PlaceOptions {
  /** Whether the file reaches the disk before this resolves. */
  readonly durable: boolean;
}

/** All of a content at once, or as it comes. */
export type FileContent = Buffer | AsyncIterable<Uint8Array>;

/** Nothing to remove, or a folder that has other files. */
const STAYS = ["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"];
const NOTHING_THERE = ["ENOENT", "ENOTDIR"];
/** What a folder in the place of a file gives. */
const IS_FOLDER = ["EISDIR", "ENOTEMPTY", "EEXIST"];
const READ_BITS = 0o444;
const EXECUTE_BITS = 0o111;

/**
 * Removes a file, and the folders that only it was in. A path that leads through a symbolic link
 * names nothing.
 * @throws PalliumError `permission_denied`, `io_failed`.
 */
export async function removeFile(root: string, path: string): Promise<void> {
  try {
    if (linkOnTheWay(root, path) !== undefined) return;
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
 * Writes one file, replacing what is there as a whole; folders are made on the way, and an empty one
 * in its place goes.
 * @param mode as git writes it; the content of a link is where it points to.
 * @throws PalliumError `path_outside` through a symbolic link, `disk_full`, `permission_denied`,
 *   `io_failed`; then what was there still is.
 */
export async function placeFile(
  root: string,
  path: string,
  mode: FileMode,
  content: FileContent,
  { durable }: PlaceOptions,
): Promise<void> {
  const temporary = besidePath(path, `.pallium-${crypto.randomUUID()}.tmp`);
  await makeFolderOf(root, path);
  await stageFile(root, temporary, { path, mode, durable }, content);
  try {
    await moveFile(root, temporary, path);
  } catch (error) {
    await rm(pathBelow(root, temporary), { force: true });
    throw error;
  }
}

/**
 * Writes what a path is to hold under another name, in a folder that is there, so that a move is all
 * that is left to do.
 * @throws PalliumError `path_outside`, `disk_full`, `permission_denied`, `io_failed`; then nothing is
 *   there under that name.
 */
export async function stageFile(
  root: string,
  temporary: string,
  { path, mode, durable }: { path: string; mode: FileMode } & PlaceOptions,
  content: FileContent,
): Promise<void> {
  await attempt(root, path, async () => {
    const target = pathBelow(root, temporary);
    assertInside(root, temporary);
    const permissions = await permissionsOf(pathBelow(root, path), mode);
    try {
      if (mode === "120000") await writeLink(target, content);
      else await writeNew(target, content, permissions, durable);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  });
}

/**
 * Moves a file to a path, replacing what is there as a whole; folders are made on the way, and an
 * empty one in its place goes.
 * @throws PalliumError `path_outside`, `disk_full`, `permission_denied`, `io_failed`; then what was
 *   there still is.
 */
export async function moveFile(root: string, from: string, path: string): Promise<void> {
  await makeFolderOf(root, path);
  await attempt(root, path, () => replace(pathBelow(root, from), pathBelow(root, path)));
}

/** Makes a folder of a working tree, and those above it, where they are missing. */
export async function makeFolder(root: string, folder: string): Promise<void> {
  await attempt(root, folder, async () => {
    assertInside(root, folder);
    await mkdir(pathBelow(root, folder), { recursive: true });
  });
}

async function makeFolderOf(root: string, path: string): Promise<void> {
  await attempt(root, path, async () => {
    assertInside(root, path);
    await mkdir(pathBelow(root, parentOf(path)), { recursive: true });
  });
}

function assertInside(root: string, path: string): void {
  const link = linkOnTheWay(root, path);
  if (link !== undefined) throw outside(root, path, link);
}

async function attempt(root: string, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof PalliumError ? error : fileError(error, "write", `${root}/${path}`);
  }
}

/** The first folder on the way to a path that is a symbolic link. */
function linkOnTheWay(root: string, path: string): string | undefined {
  const folder = parentOf(path);
  if (folder === "") return undefined;
  const above = linkOnTheWay(root, folder);
  if (above !== undefined) return above;
  return isLink(pathBelow(root, folder)) ? folder : undefined;
}

function isLink(path: string | Buffer): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    if (NOTHING_THERE.includes(systemCode(error) ?? "")) return false;
    throw error;
  }
}

function outside(root: string, path: string, link: string): PalliumError {
  return new PalliumError("path_outside", `refused to write through a link: ${root}/${path}`, {
    hints: [`${link} is a symbolic link there; remove it, or put a folder in its place`],
  });
}

function chunksOf(content: FileContent): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  return Symbol.asyncIterator in content ? content : [content];
}

async function replace(temporary: string | Buffer, target: string | Buffer): Promise<void> {
  try {
    await rename(temporary, target);
  } catch (error) {
    if (!IS_FOLDER.includes(systemCode(error) ?? "")) throw error;
    await rmdir(target);
    await rename(temporary, target);
  }
}

async function writeLink(path: string | Buffer, content: FileContent): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(content)) chunks.push(chunk);
  await symlink(Buffer.concat(chunks), path);
}

async function writeNew(
  path: string | Buffer,
  content: FileContent,
  permissions: number,
  durable: boolean,
): Promise<void> {
  const file = await open(path, "wx");
  try {
    for await (const chunk of chunksOf(content)) await file.writeFile(chunk);
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
