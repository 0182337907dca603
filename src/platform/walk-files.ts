/** Files of folders that somebody else fills, with what tells each from itself later on. */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "./file-error.ts";

export interface FoundFile {
  /** Absolute, where the folder's path is. */
  readonly path: string;
  readonly name: string;
  readonly device: number;
  readonly inode: number;
  /** In bytes. */
  readonly size: number;
  /** When its content was written last, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** What is at a path. */
export type Looked = FoundFile | "folder" | "other" | "missing";

/** @param problem is told of a path that may not be read, as a sentence; the rest goes on. */
export function lookAt(path: string, name: string, problem: (line: string) => void): Looked {
  const found = unlessUnreadable(path, problem, () => statSync(path));
  if (found === undefined) return "missing";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? foundFile(path, name, found) : "other";
}

/**
 * The files below a folder whose names are wanted, links to files included; folders behind links are
 * not entered, since links can lead in circles. Nothing where there is no folder.
 * @param depth how many folders deep to go; 0 for the files of the folder itself.
 */
export function* walkFiles(
  folder: string,
  wanted: (name: string) => boolean,
  problem: (line: string) => void,
  depth = Number.POSITIVE_INFINITY,
): Generator<FoundFile> {
  const list = () => readdirSync(folder, { withFileTypes: true });
  const entries: readonly Dirent[] = unlessUnreadable(folder, problem, list) ?? [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 0) yield* walkFiles(path, wanted, problem, depth - 1);
    } else if (wanted(entry.name)) {
      const found = lookAt(path, entry.name, problem);
      if (typeof found !== "string") yield found;
    }
  }
}

function foundFile(path: string, name: string, found: Stats): FoundFile {
  const { dev: device, ino: inode, size, mtimeMs: modifiedMs } = found;
  return { path, name, device, inode, size, modifiedMs };
}

/** What is not there any more is no problem; what may not be read is told. */
function unlessUnreadable<T>(
  path: string,
  problem: (line: string) => void,
  look: () => T,
): T | undefined {
  try {
    return look();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") problem(`${path} cannot be read (${code})`);
    return undefined;
  }
}
