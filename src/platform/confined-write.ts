/** Writes that must stay below a folder, whatever links lie on the way. */
import { mkdir, readlink, realpath, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { fileError, systemCode } from "./file-error.ts";

/**
 * Writes a text file below `root`, making folders on the way.
 * @throws PalliumError `path_outside` when the file would lie elsewhere, also through a symbolic link.
 */
export async function writeInside(root: string, path: string, content: string): Promise<void> {
  const target = await placeInside(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

/** The absolute path of something that lies, or would lie, below a folder. */
async function placeInside(root: string, path: string): Promise<string> {
  const realRoot = await realpath(root);
  const target = resolve(realRoot, path);
  const outside = new PalliumError("path_outside", `refused to write outside of ${root}: ${path}`, {
    hints: ["name a path below that folder, on which no symbolic link leads out of it"],
  });
  if (!isBelow(realRoot, target)) throw outside;
  if (!isBelow(realRoot, await realLocation(target))) throw outside;
  return target;
}

/**
 * Makes a symbolic link below `root` where nothing is yet, making folders on the way.
 * @returns whether it was made.
 * @throws PalliumError `path_outside` when the link would lie elsewhere.
 */
export async function linkInside(root: string, path: string, target: string): Promise<boolean> {
  const place = await placeInside(root, path);
  await mkdir(dirname(place), { recursive: true });
  try {
    await symlink(target, place);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw fileError(error, "link", place);
  }
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Where a path that need not exist leads once links, dangling ones too, are followed. */
async function realLocation(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  const link = await linkTarget(path);
  if (link !== undefined) return realLocation(resolve(dirname(path), link));
  return join(await realLocation(dirname(path)), basename(path));
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "EINVAL") return undefined;
    throw error;
  }
}
