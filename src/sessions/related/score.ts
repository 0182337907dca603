/** How much a session has to do with a repository, some files of it, and a question. Pure. */
import type { PlacedSession } from "./places.ts";

const DAY_MS = 86_400_000;

const POINTS = {
  sameRun: 100,
  sameCwd: 80,
  touched: 70,
  sameOrigin: 50,
  nestedCwd: 45,
  mentioned: 25,
  /** Per word of the question. */
  word: 8,
} as const;

/** Points by age; an old session has none. */
const RECENT: readonly (readonly [withinMs: number, points: number])[] = [
  [2 * DAY_MS, 12],
  [7 * DAY_MS, 8],
  [30 * DAY_MS, 4],
];

export interface SessionEvidence {
  /** Whether it is of an agent of the run that is asked about. */
  readonly ofRun?: boolean;
  readonly place?: Pick<PlacedSession, "cwdIs" | "hasOrigin">;
  /** Files it read or changed. */
  readonly touched: readonly string[];
  /** Files it only speaks of. */
  readonly mentioned: readonly string[];
  /** Words of the question that it holds. */
  readonly words: number;
  /** UTC with milliseconds; empty where the transcript has no times. */
  readonly updated_at: string;
}

export interface Score {
  readonly score: number;
  /** What the points are for, the most important first. */
  readonly signals: readonly string[];
}

/** 0 without any evidence: that a session is recent is none. */
export function scoreSession(evidence: SessionEvidence, now: Date): Score {
  const { ofRun = false, place, touched, mentioned, words, updated_at } = evidence;
  const parts: (readonly [points: number, signal: string])[] = [];
  if (ofRun) parts.push([POINTS.sameRun, "same-run"]);
  if (place?.cwdIs === "same") parts.push([POINTS.sameCwd, "same-cwd"]);
  if (place?.cwdIs === "nested") parts.push([POINTS.nestedCwd, "nested-cwd"]);
  if (place?.hasOrigin === true) parts.push([POINTS.sameOrigin, "same-origin"]);
  for (const file of touched) parts.push([POINTS.touched, `file-touch:${file}`]);
  for (const file of mentioned) parts.push([POINTS.mentioned, `file-mention:${file}`]);
  if (words > 0) parts.push([words * POINTS.word, "query-match"]);
  if (parts.length === 0) return { score: 0, signals: [] };
  const age = now.getTime() - Date.parse(updated_at);
  const recent = RECENT.find(([withinMs]) => age <= withinMs)?.[1];
  if (recent !== undefined) parts.push([recent, "recent"]);
  return {
    score: parts.reduce((sum, [points]) => sum + points, 0),
    signals: parts.map(([, signal]) => signal),
  };
}
