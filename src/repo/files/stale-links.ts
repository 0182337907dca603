/** Which files refer to others than they did, after a change. */
import { folderOf, nameOf, upward } from "../../lib/slash-path.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { isManifest, languageOf } from "../imports/language.ts";
import { includeRootsAbove } from "../imports/resolvers/c.ts";
import { isCsharpProject } from "../imports/resolvers/csharp.ts";
import { seenByOthers } from "../imports/seen-by-others.ts";
import type { Language, Scan } from "../imports/types.ts";
import { filesMentioning } from "./mentioning.ts";
import { readAs } from "./read-as.ts";
import type { TreeChange } from "./tree.ts";

/** What a change of a file may change of links. */
export interface LinkChange {
  readonly path: string;
  /**
   * `name`: it came or went. `seen`: it says other things that others look at. `own`: it refers to
   * other files itself.
   */
  readonly what: "name" | "seen" | "own";
}

/** Java and Kotlin see each other; files of no language can be imported by scripts of the web. */
const FAMILY: Readonly<Record<string, Language>> = { kotlin: "java" };
/** They take a folder for a module, whatever is in it. */
const ASK_FOR_FOLDERS: readonly Language[] = ["python", "rust"];
/** With more files that came or went, looking for their names takes longer than resolving all. */
const MOST_NAMES = 50;

/** @returns `undefined` for an edit of anything else than what files say of each other. */
export function linkChange(
  tx: Transaction,
  { path, blob, blobBefore }: TreeChange,
): LinkChange | undefined {
  if (blob === undefined || blobBefore === undefined) return { path, what: "name" };
  if (isManifest(path)) return { path, what: "seen" };
  const [before, after] = [blobBefore, blob].map((hash) => {
    const sql = "SELECT scan FROM scans WHERE blob = ? AND read_as = ?";
    return tx.get<{ scan: string | null }>(sql, hash, readAs(path))?.scan;
  });
  if (before === after) return undefined;
  if (typeof before !== "string" || typeof after !== "string") return { path, what: "seen" };
  const [seenBefore, seen] = [before, after].map((scan) =>
    seenByOthers(path, JSON.parse(scan) as Scan),
  );
  return { path, what: seenBefore === seen ? "own" : "seen" };
}

/**
 * The files that are to be resolved again.
 * @param paths all files there are now.
 * @returns `undefined` where that holds of every file.
 */
export function staleAfter(
  tx: Transaction,
  paths: ReadonlySet<string>,
  changes: readonly LinkChange[],
): ((path: string) => boolean) | undefined {
  if (changes.some(({ path }) => isManifest(path))) return undefined;
  const renamed = changes.filter(({ what }) => what === "name").map(({ path }) => path);
  if (renamed.length > MOST_NAMES) return undefined;
  const mentioning = filesMentioning(tx, [...new Set(renamed.map(nameOf))]);
  const single = new Set([...changes.map(({ path }) => path), ...mentioning]);
  const families = new Set(
    changes.filter(({ what }) => what === "seen").map(({ path }) => familyOf(languageOf(path))),
  );
  if (haveOtherFolders(paths, renamed)) for (const family of ASK_FOR_FOLDERS) families.add(family);
  for (const path of renamed) {
    if (isCsharpProject(path)) families.add("csharp");
    const family = familyOf(languageOf(path));
    // An `#include` has the whole name of a file, the other languages only mean it.
    if (family !== "c" || !keepsRoots(paths, path, renamed)) families.add(family);
  }
  return (path) => {
    const language = languageOf(path);
    return language !== undefined && (single.has(path) || families.has(familyOf(language)));
  };
}

function familyOf(language: Language | undefined): Language {
  return language === undefined ? "javascript" : (FAMILY[language] ?? language);
}

/** Whether a folder came or went with some files. */
function haveOtherFolders(paths: ReadonlySet<string>, renamed: readonly string[]): boolean {
  const folders = new Set(renamed.flatMap((path) => upward(folderOf(path))));
  folders.delete("");
  for (const path of paths) {
    if (folders.size === 0) return false;
    if (renamed.includes(path)) continue;
    for (const folder of upward(folderOf(path))) folders.delete(folder);
  }
  return folders.size > 0;
}

/** Whether the folders that headers are looked for in are the same with a file and without it. */
function keepsRoots(paths: ReadonlySet<string>, path: string, renamed: readonly string[]): boolean {
  const roots = new Set(includeRootsAbove(folderOf(path)));
  if (roots.size === 0) return true;
  for (const other of paths) {
    if (languageOf(other) !== "c" || renamed.includes(other)) continue;
    for (const root of includeRootsAbove(folderOf(other))) roots.delete(root);
    if (roots.size === 0) return true;
  }
  return false;
}
