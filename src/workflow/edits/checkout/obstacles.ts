/** What stands in the way of a file that is to be written. */
import { parentOf } from "../../../lib/git-path.ts";
import { listBelow } from "../../../platform/tree-files/list.ts";
import type { FileKind, FileLook } from "../../../platform/tree-files/look.ts";

export type Look = (path: string) => FileLook | undefined;

/** The folders above a path, the topmost first; the top of all is none of them. */
export function foldersAbove(path: string): readonly string[] {
  const folder = parentOf(path);
  return folder === "" ? [] : [...foldersAbove(folder), folder];
}

/** The deepest of the folders above a path that is there, as a folder; "" at the top. */
export function deepestFolder(look: Look, path: string): string {
  let deepest = "";
  for (const folder of foldersAbove(path)) {
    if (look(folder)?.kind !== "folder") return deepest;
    deepest = folder;
  }
  return deepest;
}

/**
 * Why a file cannot be written there.
 * @param kind what is under its path now.
 * @param removed files that go before it comes.
 */
export function obstacleTo(
  root: string,
  path: string,
  kind: FileKind | undefined,
  look: Look,
  removed: ReadonlySet<string>,
): string | undefined {
  for (const folder of foldersAbove(path)) {
    const above = look(folder)?.kind;
    if (above === undefined || removed.has(folder)) break;
    if (above === "120000") return `a symbolic link leads there: ${folder}`;
    if (above !== "folder") return `a file is where a folder must be: ${folder}`;
  }
  if (kind !== "folder") return undefined;
  const others = listBelow(root, path).filter((file) => !removed.has(file));
  return others.length === 0 ? undefined : `a folder is there, with ${others[0]}`;
}
