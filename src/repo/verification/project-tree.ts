/** The files of a repository as plans look at them: manifests by folder, from a file upwards. */
import { byText } from "../../lib/by-text.ts";
import { below, folderOf, nameOf, upward } from "../../lib/slash-path.ts";
import { isVerificationManifest } from "./manifests.ts";
import type { PlanInput } from "./types.ts";

export interface ProjectTree {
  has(path: string): boolean;
  /** Text of a manifest. */
  text(path: string): string | undefined;
  /** Manifests of a folder, by name. */
  manifestsIn(folder: string): readonly string[];
  /** Every folder that has manifests, the shallow ones first, then by name. */
  readonly folders: readonly string[];
  /** Every file of the repository. */
  readonly paths: ReadonlySet<string>;
  /** Some file of the repository, for which this is true. */
  some(test: (path: string) => boolean): boolean;
}

/** Finds the manifests among the files once. */
export function createProjectTree({
  paths,
  manifest,
}: Pick<PlanInput, "paths" | "manifest">): ProjectTree {
  const manifests = new Map<string, string[]>();
  for (const path of paths) {
    if (!isVerificationManifest(path)) continue;
    const names = manifests.get(folderOf(path));
    if (names === undefined) manifests.set(folderOf(path), [nameOf(path)]);
    else names.push(nameOf(path));
  }
  return {
    paths,
    has: (path) => paths.has(path),
    text: manifest,
    manifestsIn: (folder) => manifests.get(folder) ?? [],
    folders: [...manifests.keys()].sort((a, b) => depth(a) - depth(b) || byText(a, b)),
    some(test) {
      for (const path of paths) if (test(path)) return true;
      return false;
    },
  };
}

function depth(folder: string): number {
  return folder === "" ? 0 : folder.split("/").length;
}

/** Folders, each once, without those that lie in another of them. */
export function outermost(folders: Iterable<string>): readonly string[] {
  const all = new Set(folders);
  return [...all].filter(
    (folder) => folder === "" || !upward(folderOf(folder)).some((above) => all.has(above)),
  );
}

/** A path as seen from a folder that holds it. */
export function relativeTo(folder: string, path: string): string {
  if (folder === "") return path;
  return path === folder ? "" : path.slice(folder.length + 1);
}

/** The nearest folder at or above a file's for which this is true. */
export function nearest(path: string, suits: (folder: string) => boolean): string | undefined {
  return upward(folderOf(path)).find(suits);
}

/** The nearest folder at or above a file's with one of these files. */
export function nearestWith(
  tree: ProjectTree,
  path: string,
  ...names: readonly string[]
): string | undefined {
  return nearest(path, (folder) => names.some((name) => tree.has(below(folder, name))));
}

/** Splits things by a key, in the order in which the keys come up; `undefined` leaves out. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
