/** Puts files of a working tree into the store, byte for byte, and looks at how they stand. */
import { type BigIntStats, lstatSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { encodePath, parentOf } from "../../lib/git-path.ts";
import { fileError, systemCode } from "../../platform/file-error.ts";
import { pathBelow } from "../../platform/tree-path.ts";
import type { FileMode, TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

/** What is found under a path; `folder` and `other`, such as a pipe, are no files of a tree. */
export type FileKind = FileMode | "folder" | "other";

/** How a path stood when it was looked at. */
export interface FileLook {
  readonly kind: FileKind;
  /** Changes with every write and every replacement of the file. */
  readonly stamp: string;
}

const OWNER_EXECUTES = 0o100n;
const NOTHING_THERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
/** Bytes that end a line of hash-object's input, or begin a quoted one. */
const NEEDS_QUOTES = /[\n\r]|^"/;

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
    return { kind, stamp: `${kind} ${ino} ${size} ${mtimeNs} ${ctimeNs}` };
  };
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

/**
 * Writes the contents of files, and where links point to, into the store; no filter and no
 * conversion of line ends touches them.
 * @param paths relative to `root`; what is no file and no link, or missing, is left out.
 */
export async function storeFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const look = createLook(root);
  const found = paths.map((path) => ({ path, kind: look(path)?.kind }));
  const files = found.filter(({ kind }) => kind === "100644" || kind === "100755");
  const entries = new Map<string, TreeEntry>();
  const blobs = await hashFiles(
    store,
    root,
    files.map(({ path }) => path),
  );
  for (const [index, { path, kind }] of files.entries()) {
    entries.set(path, { mode: kind ?? "", blob: blobs[index] ?? "" });
  }
  for (const { path, kind } of found) {
    if (kind !== "120000") continue;
    const target = await readlink(pathBelow(root, path), { encoding: "buffer" });
    entries.set(path, { mode: kind, blob: await storeBytes(store, target) });
  }
  return entries;
}

/** Writes some bytes into the store and returns their hash. */
export async function storeBytes(store: TreeStore, bytes: Uint8Array): Promise<string> {
  const { stdout } = await store.run(["hash-object", "-w", "--no-filters", "--stdin"], {
    input: bytes,
  });
  return stdout.trim();
}

async function hashFiles(
  store: TreeStore,
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await store.run(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
    workTree: root,
    input: Buffer.concat(paths.map(inputLine)),
  });
  return stdout.trimEnd().split("\n");
}

function inputLine(path: string): Buffer {
  const name = encodePath(path);
  const text = name.toString("latin1");
  const line = NEEDS_QUOTES.test(text) ? quoted(text) : text;
  return Buffer.from(`${line}\n`, "latin1");
}

function quoted(latin1: string): string {
  const escaped = latin1.replace(
    /[\n\r"\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
