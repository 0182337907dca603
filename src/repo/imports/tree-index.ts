import { folderOf, nameOf, upward } from "../../lib/slash-path.ts";
import { languageOf } from "./language.ts";
import type { Language, LinkKind, Scan, SourceTree } from "./types.ts";

/** Looks over the tree once, for all resolvers. */
export interface TreeIndex {
  readonly tree: SourceTree;
  /** Files directly in a folder. */
  filesIn(folder: string): readonly string[];
  isFolder(path: string): boolean;
  /** Files of one language. */
  filesOf(language: Language): readonly string[];
  /** Paths of files with this name. */
  named(name: string): readonly string[];
  /** The nearest folder, from the one given upward, that holds a file of one of these names. */
  nearest(folder: string, names: readonly string[]): string | undefined;
}

/** Reports the files that `from` uses. */
export type AddLink = (to: string, kind: LinkKind) => void;

/** Resolves all references of one file. */
export type FileResolver = (from: string, scan: Scan, add: AddLink) => void;

/** Adds a value to the list under a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Groups the paths of a tree by folder, name and language; reads no contents. */
export function createTreeIndex(tree: SourceTree): TreeIndex {
  const byFolder = new Map<string, string[]>();
  const byLanguage = new Map<Language, string[]>();
  const byName = new Map<string, string[]>();
  const folders = new Set<string>([""]);
  for (const path of tree.paths) {
    addTo(byFolder, folderOf(path), path);
    addTo(byName, nameOf(path), path);
    const language = languageOf(path);
    if (language !== undefined) addTo(byLanguage, language, path);
  }
  for (const folder of byFolder.keys()) {
    for (const above of upward(folder)) {
      if (folders.has(above) && above !== "") break;
      folders.add(above);
    }
  }
  return {
    tree,
    filesIn: (folder) => byFolder.get(folder) ?? [],
    isFolder: (path) => folders.has(path),
    filesOf: (language) => byLanguage.get(language) ?? [],
    named: (name) => byName.get(name) ?? [],
    nearest(folder, names) {
      return upward(folder).find((above) =>
        names.some((name) => tree.paths.has(above === "" ? name : `${above}/${name}`)),
      );
    },
  };
}
