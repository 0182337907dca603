/** Where the files of a repository lie, and what their names mention: looked over once for all questions. */
import { folderOf, nameOf } from "../../lib/slash-path.ts";
import { addTo, memoise } from "../imports/tree-index.ts";
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
  const grouped = () => {
    groups ??= group(paths);
    return groups;
  };
  const beside = (path: string) => grouped().byFolder.get(folderOf(path)) ?? [];
  return {
    beside,
    near(path) {
      const found = new Set(beside(path));
      const words = nameWords(path).filter((word) => word.length >= SHORTEST_WORD);
      for (const files of words.length === 0 ? [] : mentioning(grouped(), words)) {
        for (const file of files) found.add(file);
      }
      found.delete(path);
      return found;
    },
    isTest: memoise(isTestFile),
    subjectWords: memoise(subjectWords),
  };
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

/** @param words have no characters that mean something in an expression. */
function mentioning(
  { names, starts, files }: Groups,
  words: readonly string[],
): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let line = 0;
  for (const { index } of names.matchAll(new RegExp(`(?:${words.join("|")}).*`, "gi"))) {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= index) line += 1;
    found.push(files[line] ?? []);
  }
  return found;
}
