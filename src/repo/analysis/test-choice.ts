/** Which tests to run after an edit of a file: by import, then by name, then by history. */
import { findFile } from "../history/queries.ts";
import { folderOf } from "../imports/paths.ts";
import { type Companion, coChange } from "./cochange.ts";
import { nameWords } from "./names.ts";
import { isTestFile } from "./test-files.ts";
import { nameAffinity } from "./test-pairing.ts";
import type { RepoView } from "./view.ts";

export interface SuggestedTest {
  readonly path: string;
  /** 0 to 1; what the ranking sorts by. */
  readonly score: number;
  /** Why, with numbers, the strongest first. */
  readonly reasons: readonly string[];
}

/** What speaks for a test. */
interface Signals {
  readonly path: string;
  /** How many imports lie between it and the file; `undefined` where none lead there. */
  readonly distance: 1 | 2 | undefined;
  /** 0 to 1. */
  readonly name: number;
  readonly companion: Companion | undefined;
  readonly sameFolder: boolean;
}

/** How much each signal counts where it is 1. */
const WEIGHTS = {
  import: 0.5,
  importOfImport: 0.1,
  name: 0.7,
  history: 0.8,
  focus: 0.5,
  folder: 0.05,
};

/**
 * The tests that most likely say whether a file still works, the likeliest first. A test comes
 * first among its own.
 */
export function suggestTests(
  view: RepoView,
  path: string,
  limit: number,
): readonly SuggestedTest[] {
  const file = findFile(view.index, path, view.now);
  const history = file && coChange(view, file);
  const companions = history?.companions ?? new Map<string, Companion>();
  const support = history?.support ?? 0;
  const ranked = candidates(view, path, companions)
    .map((signals) => ({
      path: signals.path,
      score: scoreOf(signals),
      reasons: reasonsFor(signals, support),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const itself = isTestFile(path) && view.files.paths.has(path);
  const own = itself ? [{ path, score: 1, reasons: ["is the file itself"] }] : [];
  return [...own, ...ranked].slice(0, limit);
}

function candidates(
  view: RepoView,
  path: string,
  companions: ReadonlyMap<string, Companion>,
): readonly Signals[] {
  const near = new Set(view.files.linksTo(path).map((link) => link.path));
  const far = new Set([...near].flatMap((user) => view.files.linksTo(user).map((l) => l.path)));
  const folder = folderOf(path);
  const words = nameWords(path).filter((word) => word.length >= SHORTEST_WORD);
  const found = new Set([...companions.keys(), ...near, ...far]);
  for (const other of view.files.paths) {
    if (folderOf(other) === folder || mentions(other, words)) found.add(other);
  }
  found.delete(path);
  return [...found].filter(isTestFile).map((other) => ({
    path: other,
    distance: near.has(other) ? 1 : far.has(other) ? 2 : undefined,
    name: nameAffinity(path, other),
    companion: companions.get(other),
    sameFolder: folderOf(other) === folder,
  }));
}

/** Shorter words are in too many names. */
const SHORTEST_WORD = 3;

function mentions(path: string, words: readonly string[]): boolean {
  const lower = path.toLowerCase();
  return words.some((word) => lower.includes(word));
}

function scoreOf({ distance, name, companion, sameFolder }: Signals): number {
  const doubts = [
    1 - (distance === 1 ? WEIGHTS.import : distance === 2 ? WEIGHTS.importOfImport : 0),
    1 - WEIGHTS.name * name,
    1 - WEIGHTS.history * (companion?.confidence ?? 0),
    1 - WEIGHTS.focus * (companion?.focus ?? 0),
    1 - (sameFolder ? WEIGHTS.folder : 0),
  ];
  return rounded(1 - doubts.reduce((left, doubt) => left * doubt, 1));
}

function reasonsFor(signals: Signals, support: number): readonly string[] {
  const { distance, name, companion, sameFolder } = signals;
  const reasons: string[] = [];
  if (distance === 1) reasons.push("imports it");
  if (name > 0) reasons.push("is named after it");
  if (companion !== undefined) {
    reasons.push(`changed together in ${companion.count} of ${support} commits`);
  }
  if (distance === 2) reasons.push("imports what imports it");
  if (sameFolder) reasons.push("lies in the same folder");
  return reasons;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
