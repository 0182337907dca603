/** Where the files of a repository lie, and what their names mention: looked over once for all questions. */
import { memoise } from "../../lib/memoise.ts";
import { folderOf, nameOf } from "../../lib/slash-path.ts";
import { addTo } from "../imports/tree-index.ts";
import { nameWords } from "./names.ts";
import { isTestFile } from "./test-files.ts";
import { subjectWords } from "./test-pairing.ts";

export interface Places {
  /** All files of the folder of one. */
  beside(path: string): readonly string[];
  /** The other files of its folder, and those whose name or folder mentions a word of its name. */
  near(path: string): ReadonlySet<string>;
  /** As `isTestFile`. */
  isTest(path: string): boolean;
  /** As `subjectWords`. */
  subjectWords(path: string): readonly string[];
}

/** Shorter words are in too many names. */
const SHORTEST_WORD = 3;

export function createPlaces(paths: Iterable<string>): Places {
  let groups: Groups | undefined;
  let isAsked = false;
  const grouped = () => {
    groups ??= group(paths);
    return groups;
  };
  return {
    beside: (path) => grouped().byFolder.get(folderOf(path)) ?? [],
    near(path) {
      // For one question it takes longer to group all paths than to look at each.
      const found =
        groups === undefined && !isAsked ? passing(paths, path) : among(grouped(), path);
      isAsked = true;
      found.delete(path);
      return found;
    },
    isTest: memoise(isTestFile),
    subjectWords: memoise(subjectWords),
  };
}

/** The words to look for, as an expression: they have no characters that mean something in one. */
function wordsIn(path: string): string {
  return nameWords(path)
    .filter((word) => word.length >= SHORTEST_WORD)
    .join("|");
}

/** What is near a file, itself included. */
function passing(paths: Iterable<string>, path: string): Set<string> {
  const prefix = path.slice(0, path.lastIndexOf("/") + 1);
  const words = wordsIn(path);
  const mention = words === "" ? undefined : new RegExp(`(?:${words})[^/]*(?:/[^/]*)?$`, "i");
  const found = new Set<string>();
  for (const other of paths) {
    const isBeside = other.startsWith(prefix) && !other.includes("/", prefix.length);
    if (isBeside || mention?.test(other)) found.add(other);
  }
  return found;
}

/** The same, found by groups. */
function among({ byFolder, ...names }: Groups, path: string): Set<string> {
  const found = new Set(byFolder.get(folderOf(path)));
  const words = wordsIn(path);
  for (const files of words === "" ? [] : mentioning(names, words)) {
    for (const file of files) found.add(file);
  }
  return found;
}

interface Groups {
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
  /** The names of all files and folders, a line each: one long text is searched faster than many short ones. */
  readonly names: string;
  /** Where the lines begin. */
  readonly starts: readonly number[];
  /** The files that each line is about. */
  readonly files: readonly (readonly string[])[];
}

function group(paths: Iterable<string>): Groups {
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    addTo(byFolder, folderOf(path), path);
    addTo(byName, nameOf(path), path);
  }
  const names = [...byName.keys(), ...[...byFolder.keys()].map(nameOf)];
  const starts: number[] = [];
  let start = 0;
  for (const name of names) {
    starts.push(start);
    start += name.length + 1;
  }
  const files = [...byName.values(), ...byFolder.values()];
  return { byFolder, names: names.join("\n"), starts, files };
}

function mentioning(
  { names, starts, files }: Omit<Groups, "byFolder">,
  words: string,
): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let line = 0;
  for (const { index } of names.matchAll(new RegExp(`(?:${words}).*`, "gi"))) {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= index) line += 1;
    found.push(files[line] ?? []);
  }
  return found;
}
