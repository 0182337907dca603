/** Which files to look at beside one: by history, imports, folder and name. */

import { byPath } from "../../lib/by-text.ts";
import { rounded } from "../../lib/rounded.ts";
import { folderOf } from "../../lib/slash-path.ts";
import { type CoChange, likelihood } from "./cochange.ts";
import { nameWords, sharedWords } from "./names.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";
import { affinityFrom, affinityTo } from "./test-pairing.ts";
import type { RepoView } from "./view.ts";

export interface Related {
  readonly path: string;
  /** Commits that touched both, of those that touched few files. */
  readonly cochange_count: number;
  /** The same, each counting the less the older it is. */
  readonly recency_weight: number;
  /** The share of the file's counted commits that touched the other too, 0 to 1. */
  readonly confidence: number;
  /** The same, recent commits and those of few files counting more. */
  readonly recent_confidence: number;
  /** Commits of the file that count. */
  readonly support: number;
  /** 0 to 1; what the ranking sorts by. */
  readonly score: number;
  /** Why, with numbers, the strongest first. */
  readonly reasons: readonly string[];
}

/**
 * How likely a file changes with another that has only this in common with it. Set by measuring,
 * see docs/evaluation.md.
 */
const EXPECTED = {
  /** It is used by the other; shared by the root of how many are. */
  isUsed: 0.1,
  /** It uses the other; shared by the root of how many do. */
  uses: 0.2,
  /** It is the test of the other, or is tested by it, by its name. */
  isPair: 0.3,
  hasSameWords: 0.02,
  isInFolder: 0.04,
} as const;

/** More than rounding can make of a sum. */
const HAIR = 1e-9;

/** What connects another file with the one asked about, as far as it was looked at. */
interface Candidate {
  readonly path: string;
  readonly isUsed: boolean;
  readonly uses: boolean;
  readonly isInFolder: boolean;
  /** How likely all this makes it. */
  readonly expected: number;
}

interface Ties extends Candidate {
  /** 0 to 1. */
  readonly words: number;
}

/**
 * The files that most likely change with one, the likeliest first; only files that exist.
 * @param path of a file, which need not have a history.
 * @param around what lies around it, where that is known already.
 */
export function relatedFiles(
  view: RepoView,
  path: string,
  limit: number,
  around = surroundings(view, path),
): readonly Related[] {
  const { history } = around;
  const linked = linkedFiles(view, path, around);
  // Names take long to compare, so only those that can bring a file among the first are.
  const byLinks = likeliest(linked, history, limit, EXPECTED.isPair + EXPECTED.hasSameWords);
  const byPair = likeliest(byLinks.map(paired(view, path)), history, limit, EXPECTED.hasSameWords);
  return byPair
    .map(worded(path))
    .map((ties) => ({ ties, score: likelihood(history, ties.path, ties.expected) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byPath(a.ties, b.ties))
    .slice(0, limit)
    .map(({ ties, score }) => related(ties, score, history));
}

function linkedFiles(
  view: RepoView,
  path: string,
  { history, near }: Surroundings,
): readonly Candidate[] {
  const used = new Set(view.files.linksFrom(path).map((link) => link.path));
  const users = new Set(view.files.linksTo(path).map((link) => link.path));
  const others = new Set([...history.companions.keys(), ...used, ...users, ...near]);
  others.delete(path);
  const folder = folderOf(path);
  return [...others].map((other) => {
    const isUsed = used.has(other);
    const uses = users.has(other);
    const isInFolder = folderOf(other) === folder;
    const expected =
      (isUsed ? EXPECTED.isUsed / Math.sqrt(used.size) : 0) +
      (uses ? EXPECTED.uses / Math.sqrt(users.size) : 0) +
      (isInFolder ? EXPECTED.isInFolder : 0);
    return { path: other, isUsed, uses, isInFolder, expected };
  });
}

/** Those that are among the first where what is not known yet adds so much to one of them. */
function likeliest(
  candidates: readonly Candidate[],
  history: CoChange,
  limit: number,
  more: number,
): readonly Candidate[] {
  if (candidates.length <= limit) return candidates;
  const least = candidates.map(({ path, expected }) => likelihood(history, path, expected));
  const last = Float64Array.from(least).sort().at(-limit) ?? 0;
  return candidates.filter(
    ({ path, expected }) => likelihood(history, path, expected + more) > last - HAIR,
  );
}

function paired({ places }: RepoView, path: string): (candidate: Candidate) => Candidate {
  const affinityOf = places.isTest(path) ? affinityFrom : affinityTo;
  const pairOf = affinityOf(path, places.subjectWords);
  return (candidate) => {
    const pair = pairOf(candidate.path);
    if (pair === 0) return candidate;
    return { ...candidate, expected: candidate.expected + EXPECTED.isPair * pair };
  };
}

function worded(path: string): (candidate: Candidate) => Ties {
  const own = nameWords(path);
  return (candidate) => {
    const words = sharedWords(own, candidate.path);
    return { ...candidate, words, expected: candidate.expected + EXPECTED.hasSameWords * words };
  };
}

function related(ties: Ties, score: number, history: CoChange): Related {
  const { support, companions } = history;
  const { count = 0, weight = 0, focus = 0 } = companions.get(ties.path) ?? {};
  return {
    path: ties.path,
    cochange_count: count,
    recency_weight: rounded(weight),
    confidence: rounded(support === 0 ? 0 : count / support),
    recent_confidence: rounded(history.focus === 0 ? 0 : focus / history.focus),
    support,
    score: rounded(score),
    reasons: reasonsFor(ties, count, support),
  };
}

function reasonsFor(ties: Ties, count: number, support: number): readonly string[] {
  const reasons: string[] = [];
  if (count > 0) reasons.push(`changed together in ${count} of ${support} commits`);
  if (ties.isUsed) reasons.push("is used by it");
  if (ties.uses) reasons.push("uses it");
  if (ties.words === 1) reasons.push("has the same name");
  else if (ties.words > 0) reasons.push("has a similar name");
  if (ties.isInFolder) reasons.push("lies in the same folder");
  return reasons;
}
