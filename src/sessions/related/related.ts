/** Sessions that have to do with a repository, with files of it, or with a question. */
import { isAbsolute, join, normalize, relative } from "node:path";
import { byText } from "../../lib/by-text.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import {
  IN_BRIEF,
  IN_FULL,
  type SessionRecord,
  sessionRecords,
} from "../reports/session-record.ts";
import { sessionsThatMention } from "./mentioned-files.ts";
import { everyTree, placedSessions, type RepositoryTrees } from "./places.ts";
import { type Score, type SessionEvidence, scoreSession } from "./score.ts";
import { sessionsThatTouched } from "./touched-files.ts";
import { wordsOfSessions } from "./words.ts";

/** Which of them count. */
export interface RelatedFilter {
  readonly provider?: string;
  readonly machine?: string;
  /** Only what was written since this moment; UTC with milliseconds. */
  readonly since?: string;
}

export interface RelatedQuestion extends RelatedFilter {
  /** Absent where no repository is asked about. */
  readonly repository?: RepositoryTrees;
  /** Relative to the top of the repository, or absolute. */
  readonly files?: readonly string[];
  /** In plain words. */
  readonly query?: string;
  /** Keys of sessions that are known to belong to it. */
  readonly ofRun?: readonly number[];
  readonly limit: number;
  readonly full?: boolean;
}

export interface RelatedSession extends SessionRecord, Score {}

type Evidence = {
  -readonly [Key in keyof SessionEvidence]: SessionEvidence[Key] extends readonly string[]
    ? string[]
    : SessionEvidence[Key];
};

/** Keys of the sessions with these ids, on whichever computer they were. */
export function keysOf(reader: Reader, ids: readonly string[]): readonly number[] {
  if (ids.length === 0) return [];
  return reader
    .all<{ key: number }>(
      "SELECT key FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    )
    .map(({ key }) => key);
}

/** The best first, of equal ones the latest. */
export function relatedSessions(
  reader: Reader,
  question: RelatedQuestion,
  now: Date,
): readonly RelatedSession[] {
  const found = gatherEvidence(reader, question);
  completeTimes(reader, found);
  const scored = [...found].flatMap(([key, evidence]) => {
    const isOld = question.since !== undefined && evidence.updated_at < question.since;
    const score = scoreSession(evidence, now);
    return isOld || score.score === 0 ? [] : [{ key, updated_at: evidence.updated_at, ...score }];
  });
  const best = passing(reader, scored, question)
    .sort((a, b) => b.score - a.score || byText(b.updated_at, a.updated_at))
    .slice(0, question.limit);
  const scores = new Map(best.map(({ key, score, signals }) => [key, { score, signals }]));
  return [...scores].flatMap(([key, score]) =>
    sessionRecords(reader, [key], question.full === true ? IN_FULL : IN_BRIEF).map((record) => ({
      ...record,
      ...score,
    })),
  );
}

function gatherEvidence(reader: Reader, question: RelatedQuestion): Map<number, Evidence> {
  const { repository, query = "", ofRun = [] } = question;
  const found = new Map<number, Evidence>();
  const of = (key: number): Evidence => {
    const known = found.get(key) ?? { touched: [], mentioned: [], words: 0, updated_at: "" };
    found.set(key, known);
    return known;
  };
  for (const key of ofRun) of(key).ofRun = true;
  if (repository !== undefined) {
    const placed = placedSessions(reader, repository);
    for (const { key, updated_at, cwdIs, hasOrigin } of placed) {
      Object.assign(of(key), { updated_at, place: { cwdIs, hasOrigin } });
    }
    const trees = everyTree(repository, placed);
    for (const file of filesOf(question.files ?? [], trees)) {
      const touched = sessionsThatTouched(reader, trees, file);
      for (const key of touched) of(key).touched.push(file);
      const others = [...found.keys()].filter((key) => !touched.has(key));
      for (const key of sessionsThatMention(reader, others, trees, file)) {
        of(key).mentioned.push(file);
      }
    }
  }
  for (const [key, words] of wordsOfSessions(reader, query, repository)) of(key).words = words;
  return found;
}

/** Each file once, as it is called within the repository; what lies outside is left out. */
function filesOf(files: readonly string[], trees: readonly string[]): readonly string[] {
  const inside = files.flatMap((file) => {
    const path = normalize(file.trim());
    if (path === "." || path === "") return [];
    if (!isAbsolute(path)) return path.startsWith("..") ? [] : [path];
    const tree = trees.find((top) => path.startsWith(join(top, "/")));
    return tree === undefined ? [] : [relative(tree, path)];
  });
  return [...new Set(inside)];
}

/** Of sessions that are known by what they touched or said, when they were written last. */
function completeTimes(reader: Reader, found: ReadonlyMap<number, Evidence>): void {
  const without = [...found].filter(([, { updated_at }]) => updated_at === "");
  const times = reader.all<{ key: number; updated_at: string }>(
    "SELECT key, updated_at FROM sessions WHERE key IN (SELECT value FROM json_each(?))",
    JSON.stringify(without.map(([key]) => key)),
  );
  const byKey = new Map(times.map(({ key, updated_at }) => [key, updated_at]));
  for (const [key, evidence] of without) evidence.updated_at = byKey.get(key) ?? "";
}

function passing<Scored extends { readonly key: number }>(
  reader: Reader,
  scored: readonly Scored[],
  { provider, machine }: RelatedFilter,
): Scored[] {
  if (provider === undefined && machine === undefined) return [...scored];
  const rows = reader.all<{ key: number }>(
    `SELECT key FROM sessions WHERE key IN (SELECT value FROM json_each(?))
       AND provider = coalesce(?, provider) AND machine = coalesce(?, machine)`,
    JSON.stringify(scored.map(({ key }) => key)),
    provider ?? null,
    machine ?? null,
  );
  const keys = new Set(rows.map(({ key }) => key));
  return scored.filter(({ key }) => keys.has(key));
}
