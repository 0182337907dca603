/** Writes that must stay below a folder, whatever links lie on the way. */
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { PalliumError } from "../lib/errors.ts";

/**
 * Writes a text file below `root`, making folders on the way.
 * @throws PalliumError `path_outside` when the file would lie elsewhere, also through a symbolic link.
 */
export async function writeInside(root: string, path: string, content: string): Promise<void> {
  const realRoot = await realpath(root);
  const target = resolve(realRoot, path);
  const outside = new PalliumError("path_outside", `refused to write outside of ${root}: ${path}`);
  if (!isBelow(realRoot, target)) throw outside;
  if (!isBelow(realRoot, await realLocation(target))) throw outside;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Where a path that need not exist leads once links are followed. */
async function realLocation(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const parent = dirname(path);
    return resolve(await realLocation(parent), path.slice(parent.length + 1));
  }
}
