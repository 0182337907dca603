/** Looks at the files of a working tree, without following links. */
import { accessSync, type BigIntStats, constants, lstatSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { parentOf } from "../../lib/git-path.ts";
import { fileError, isForbidden, systemCode } from "../file-error.ts";
import { pathBelow } from "./path-below.ts";

/** What git keeps of one file: a plain or executable one, or a symbolic link. */
export type FileMode = "100644" | "100755" | "120000";

/** What is found under a path; `folder` and `other`, such as a pipe, are no files of a tree. */
export type FileKind = FileMode | "folder" | "other";

/** How a path stood when it was looked at. */
export interface FileLook {
  readonly kind: FileKind;
  /** Changes with every write and every replacement of the file. */
  readonly stamp: string;
  /** When that was, in milliseconds since 1970, by the clock of its disk. */
  readonly changedMs: number;
}

const OWNER_EXECUTES = 0o100n;
const NS_PER_MS = 1_000_000n;
const NOTHING_THERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/**
 * Looks at paths below `root`, at `undefined` where nothing is there. A path that leads through a
 * symbolic link is not below it. What is known of folders is kept: for one pass only.
 */
export function createLook(root: string): (path: string) => FileLook | undefined {
  const plainFolders = new Map([["", true]]);
  const isPlain = (folder: string): boolean => {
    const known = plainFolders.get(folder);
    if (known !== undefined) return known;
    const plain = isPlain(parentOf(folder)) && statOf(root, folder)?.isDirectory() === true;
    plainFolders.set(folder, plain);
    return plain;
  };
  return (path) => {
    if (!isPlain(parentOf(path))) return undefined;
    const stat = statOf(root, path);
    if (stat === undefined) return undefined;
    const kind = kindOf(stat);
    const { ino, size, mtimeNs, ctimeNs } = stat;
    return {
      kind,
      stamp: `${kind} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
      changedMs: Number(ctimeNs / NS_PER_MS),
    };
  };
}

/** Whether `root` is a folder itself, no link to one. */
export function isRealFolder(root: string): boolean {
  return lstatSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether a file's content can be read; it must exist. */
export function isReadable(root: string, path: string): boolean {
  try {
    accessSync(pathBelow(root, path), constants.R_OK);
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw fileError(error, "look at", `${root}/${path}`);
  }
}

function statOf(root: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(pathBelow(root, path), { bigint: true });
  } catch (error) {
    if (NOTHING_THERE.includes(systemCode(error) ?? "")) return undefined;
    throw fileError(error, "look at", `${root}/${path}`);
  }
}

function kindOf(stat: BigIntStats): FileKind {
  if (stat.isFile()) return (stat.mode & OWNER_EXECUTES) === 0n ? "100644" : "100755";
  if (stat.isSymbolicLink()) return "120000";
  return stat.isDirectory() ? "folder" : "other";
}

/** The bytes that a symbolic link holds. */
export function readLink(root: string, path: string): Promise<Buffer> {
  return readlink(pathBelow(root, path), { encoding: "buffer" });
}
