/** Which tests to run after an edit of a file: by import, name and history. */
import { byPath } from "../../lib/by-text.ts";
import { folderOf } from "../../lib/slash-path.ts";
import { type CoChange, likelihood } from "./cochange.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";
import { affinityTo, isNamedAfter, mayTest } from "./test-pairing.ts";
import type { RepoView } from "./view.ts";

export interface SuggestedTest {
  readonly path: string;
  /** 0 to 1; what the ranking sorts by. */
  readonly score: number;
  /** Commits that touched both. */
  readonly cochange_count: number;
  /** Whether imports or its name lead from it to the file, or it is the file itself. */
  readonly is_connected: boolean;
  /** Why, with numbers, the strongest first. */
  readonly reasons: readonly string[];
}

/**
 * How likely a test changes with a file that it has only this in common with. Set by measuring, see
 * docs/evaluation.md.
 */
const EXPECTED = {
  /** It imports the file; shared by the root of how many do. */
  imports: 0.3,
  importsAnImporter: 0.01,
  isNamedAfter: 0.4,
  isInFolder: 0.01,
} as const;
/** Of a test in a language that seldom tests that of the file, only so much of its likelihood is left. */
const FOREIGN = 0.3;
/** A test that is so much less likely than the first is none to name beside it. */
const LEAST_OF_BEST = 0.15;
/** The same where the first has the name of the file, so that it is most likely the one. */
const LEAST_OF_NAMESAKE = 0.3;
const NAMESAKE = 0.9;
/** A test that neither imports nor name connect with the file must be this likely. */
const LEAST_UNCONNECTED = 0.01;
/** What more files than this import is imported by everything before long. */
const MOST_IMPORTERS = 20;

/** What connects a test with the file, history aside. */
interface Ties {
  readonly path: string;
  readonly imports: boolean;
  readonly importsAnImporter: boolean;
  /** 0 to 1. */
  readonly name: number;
  readonly isNamedAfter: boolean;
  readonly isInFolder: boolean;
  /** How likely all this makes it. */
  readonly expected: number;
}

/**
 * The tests that most likely say whether a file still works, the likeliest first. A test comes
 * first among its own.
 * @param around what lies around it, where that is known already.
 */
export function suggestTests(
  view: RepoView,
  path: string,
  limit: number,
  around = surroundings(view, path),
): readonly SuggestedTest[] {
  const { history } = around;
  const ranked = tiesOf(view, path, around)
    .map((ties) => ({ ties, score: scoreOf(path, ties, history) }))
    .sort((a, b) => b.score - a.score || byPath(a.ties, b.ties));
  const least = leastScore(ranked[0]);
  const isItself = view.places.isTest(path) && view.files.paths.has(path);
  const itself = isItself ? [theFileItself(path)] : [];
  const others = ranked
    .filter(
      ({ ties, score }) => score >= Math.max(least, isConnected(ties) ? 0 : LEAST_UNCONNECTED),
    )
    .slice(0, limit)
    .map(({ ties, score }) => ({
      path: ties.path,
      score: Math.round(score * 1000) / 1000,
      cochange_count: history.companions.get(ties.path)?.count ?? 0,
      is_connected: ties.imports || ties.importsAnImporter || ties.isNamedAfter,
      reasons: reasonsFor(ties, history),
    }));
  return [...itself, ...others].slice(0, limit);
}

function theFileItself(path: string): SuggestedTest {
  const reasons = ["is the file itself"];
  return { path, score: 1, cochange_count: 0, is_connected: true, reasons };
}

function leastScore(best: { readonly ties: Ties; readonly score: number } | undefined): number {
  if (best === undefined) return 0;
  return best.score * (best.ties.name >= NAMESAKE ? LEAST_OF_NAMESAKE : LEAST_OF_BEST);
}

function scoreOf(path: string, ties: Ties, history: CoChange): number {
  const score = likelihood(history, ties.path, ties.expected);
  return mayTest(path, ties.path) ? score : FOREIGN * score;
}

function tiesOf(view: RepoView, path: string, { history, near }: Surroundings): readonly Ties[] {
  const importers = new Set(view.files.linksTo(path).map((link) => link.path));
  const further = importersOfAll(view, importers);
  const found = new Set([...history.companions.keys(), ...importers, ...further, ...near]);
  found.delete(path);
  const folder = folderOf(path);
  const { isTest, subjectWords } = view.places;
  const affinity = affinityTo(path, subjectWords);
  return [...found].filter(isTest).map((test) => {
    const name = affinity(test);
    const ties = {
      path: test,
      imports: importers.has(test),
      importsAnImporter: further.has(test),
      name,
      isNamedAfter: name > 0 && (name >= NAMESAKE || isNamedAfter(path, test, subjectWords)),
      isInFolder: folderOf(test) === folder,
    };
    const expected =
      (ties.imports ? EXPECTED.imports / Math.sqrt(importers.size) : 0) +
      (ties.importsAnImporter ? EXPECTED.importsAnImporter : 0) +
      EXPECTED.isNamedAfter * ties.name ** 2 +
      (ties.isInFolder ? EXPECTED.isInFolder : 0);
    return { ...ties, expected };
  });
}

function isConnected({ imports, importsAnImporter, name }: Ties): boolean {
  return imports || importsAnImporter || name > 0;
}

function importersOfAll(view: RepoView, files: ReadonlySet<string>): ReadonlySet<string> {
  if (files.size > MOST_IMPORTERS) return new Set();
  return new Set([...files].flatMap((file) => view.files.linksTo(file).map((link) => link.path)));
}

function reasonsFor(ties: Ties, { companions, support }: CoChange): readonly string[] {
  const count = companions.get(ties.path)?.count ?? 0;
  const reasons: string[] = [];
  if (ties.imports) reasons.push("imports it");
  if (ties.name > 0) reasons.push(ties.isNamedAfter ? "is named after it" : "has a similar name");
  if (count > 0) reasons.push(`changed together in ${count} of ${support} commits`);
  if (ties.importsAnImporter && !ties.imports) reasons.push("imports what imports it");
  if (ties.isInFolder) reasons.push("lies in the same folder");
  return reasons;
}
