/** Which files to look at beside one: by history, imports, folder and name. */
import { findFile } from "../history/queries.ts";
import { folderOf } from "../imports/paths.ts";
import { type Companion, coChange } from "./cochange.ts";
import { nameAffinity, nameWords } from "./names.ts";
import type { RepoView } from "./view.ts";

export interface Related {
  readonly path: string;
  /** Commits that touched both, of those that touched few files. */
  readonly cochange_count: number;
  /** The same, each counting the less the older it is. */
  readonly recency_weight: number;
  /** The share of the file's counted commits that touched the other too, 0 to 1. */
  readonly confidence: number;
  /** Commits of the file that count. */
  readonly support: number;
  /** 0 to 1; what the ranking sorts by. */
  readonly score: number;
  /** Why, with numbers, the strongest first. */
  readonly reasons: readonly string[];
}

/** What speaks for a file, each 0 to 1. */
interface Signals {
  readonly path: string;
  readonly companion: Companion | undefined;
  readonly uses: boolean;
  readonly usedBy: boolean;
  readonly sameFolder: boolean;
  readonly name: number;
}

/** How much each signal counts where it is 1. */
const WEIGHTS = { history: 0.9, focus: 0.5, reverse: 0.3, link: 0.12, folder: 0.03, name: 0.12 };

/**
 * The files that most likely change with one, the likeliest first; only files that exist.
 * @param path of a file, which need not have a history.
 */
export function relatedFiles(view: RepoView, path: string, limit: number): readonly Related[] {
  const file = findFile(view.index, path, view.now);
  const { support, companions } = file ? coChange(view, file) : NO_HISTORY;
  return candidates(view, path, companions)
    .map((signals) => ({ signals, score: scoreOf(signals) }))
    .sort((a, b) => b.score - a.score || (a.signals.path < b.signals.path ? -1 : 1))
    .slice(0, limit)
    .map(({ signals, score }) => related(signals, score, support));
}

const NO_HISTORY = { support: 0, companions: new Map<string, Companion>() } as const;

function candidates(
  view: RepoView,
  path: string,
  companions: ReadonlyMap<string, Companion>,
): readonly Signals[] {
  const uses = new Set(view.files.linksFrom(path).map((link) => link.path));
  const usedBy = new Set(view.files.linksTo(path).map((link) => link.path));
  const folder = folderOf(path);
  const words = nameWords(path);
  const longest = [...words].sort((a, b) => b.length - a.length)[0] ?? "";
  const found = new Set([...companions.keys(), ...uses, ...usedBy]);
  for (const other of view.files.paths) {
    if (folderOf(other) === folder || mentions(other, longest)) found.add(other);
  }
  found.delete(path);
  return [...found].map((other) => ({
    path: other,
    companion: companions.get(other),
    uses: uses.has(other),
    usedBy: usedBy.has(other),
    sameFolder: folderOf(other) === folder,
    name: nameAffinity(words, nameWords(other)),
  }));
}

/** Shorter words are in too many names. */
const SHORTEST_WORD = 3;

function mentions(path: string, word: string): boolean {
  return word.length >= SHORTEST_WORD && path.toLowerCase().includes(word, path.lastIndexOf("/"));
}

/** Each signal leaves some doubt; the score is what all of them leave not in doubt. */
function scoreOf({ companion, uses, usedBy, sameFolder, name }: Signals): number {
  const doubts = [
    1 - WEIGHTS.history * (companion?.confidence ?? 0),
    1 - WEIGHTS.focus * (companion?.focus ?? 0),
    1 - WEIGHTS.reverse * (companion?.reverse ?? 0),
    1 - (uses || usedBy ? WEIGHTS.link : 0),
    1 - (sameFolder ? WEIGHTS.folder : 0),
    1 - WEIGHTS.name * name,
  ];
  return 1 - doubts.reduce((left, doubt) => left * doubt, 1);
}

function related(signals: Signals, score: number, support: number): Related {
  const { companion } = signals;
  return {
    path: signals.path,
    cochange_count: companion?.count ?? 0,
    recency_weight: rounded(companion?.weight ?? 0),
    confidence: rounded(support === 0 ? 0 : (companion?.count ?? 0) / support),
    support,
    score: rounded(score),
    reasons: reasonsFor(signals, support),
  };
}

function reasonsFor(signals: Signals, support: number): readonly string[] {
  const { companion } = signals;
  const reasons: string[] = [];
  if (companion !== undefined) {
    reasons.push(`changed together in ${companion.count} of ${support} commits`);
  }
  if (signals.uses) reasons.push("is used by this file");
  if (signals.usedBy) reasons.push("uses this file");
  if (signals.name === 1) reasons.push("has the same name");
  else if (signals.name > 0) reasons.push("has a similar name");
  if (signals.sameFolder) reasons.push("lies in the same folder");
  return reasons;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
