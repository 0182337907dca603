/** At which commits of a history questions are asked, and how far the answers look ahead. */
import type { Stop } from "./past.ts";

/** One question time: what is known at `from` is held against what came until `to`. */
export interface Span {
  readonly kind: "co-change" | "risk";
  readonly from: Stop;
  readonly to: Stop;
}

export interface PlanOptions {
  /** How many of the latest commits of the main line co-change is asked about. */
  readonly commits: number;
  /** How many of the latest windows of risk are looked at. */
  readonly windows: number;
}

/** An index in use is seldom more commits behind than this. */
const COMMITS_BETWEEN = 20;
/** So long after the moment of the question a fix counts for risk. */
const WINDOW_SECONDS = 180 * 24 * 3600;

/**
 * @param line the commits of the main line, from the oldest.
 * @returns spans in the order of their beginnings.
 */
export function planSpans(
  line: readonly Stop[],
  { commits, windows }: PlanOptions,
): readonly Span[] {
  const place = new Map(line.map((stop, at) => [stop, at]));
  const spans = [...coChangeSpans(line, commits), ...riskSpans(line, windows)];
  return spans.sort((a, b) => (place.get(a.from) ?? 0) - (place.get(b.from) ?? 0));
}

function coChangeSpans(line: readonly Stop[], commits: number): readonly Span[] {
  const spans: Span[] = [];
  const first = Math.max(0, line.length - 1 - commits);
  for (let at = line.length - 1; at > first; at -= COMMITS_BETWEEN) {
    const [from, to] = [line[Math.max(first, at - COMMITS_BETWEEN)], line[at]];
    if (from !== undefined && to !== undefined) spans.push({ kind: "co-change", from, to });
  }
  return spans;
}

function riskSpans(line: readonly Stop[], windows: number): readonly Span[] {
  const end = line.at(-1);
  if (end === undefined) return [];
  const at = (seconds: number) => line.findLast((stop) => stop.committedAt <= seconds);
  return Array.from({ length: windows }, (_, back) => back).flatMap((back) => {
    const from = at(end.committedAt - (back + 1) * WINDOW_SECONDS);
    const to = at(end.committedAt - back * WINDOW_SECONDS);
    return from === undefined || to === undefined || from === to
      ? []
      : [{ kind: "risk" as const, from, to }];
  });
}
