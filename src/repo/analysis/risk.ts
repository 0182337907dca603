/** What is known of the risk of editing a file. */
import { counted } from "../../lib/counted.ts";
import { lastTouched, touchesSince } from "../history/queries.ts";
import { knownFile } from "./known-file.ts";
import { relatedFiles } from "./related.ts";
import { riskReasons } from "./risk-reasons.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";
import { suggestTests } from "./test-choice.ts";
import type { RepoView } from "./view.ts";

export type RiskLevel = "low" | "medium" | "high" | "unknown";

export interface Neighbor {
  readonly path: string;
  readonly cochange_count: number;
  readonly recency_weight: number;
}

export interface RiskReport {
  readonly path: string;
  /** The per cent of the repository's sources that are less risky; see `rankRisk`. */
  readonly score: number;
  /** `unknown` for what is no longer there. */
  readonly level: RiskLevel;
  /** Commits that touched it. */
  readonly churn_score: number;
  /** The same of the last 30 days. */
  readonly recent_touch_count: number;
  readonly neighbor_count: number;
  readonly author_count: number;
  /** RFC 3339 in UTC, or empty. */
  readonly last_touched_at: string;
  readonly reasons: readonly string[];
  readonly top_neighbors: readonly Neighbor[];
  readonly lines: number;
}

const DAY = 24 * 3600;
/** From which score on. */
export const HIGH = 90;
export const MEDIUM = 70;
const TOP_NEIGHBORS = 5;

/**
 * The risk of a file; `undefined` where neither history nor working tree has it.
 * @param around what lies around it, where that is known already.
 * @param related what most likely changes with it, where that is known already.
 */
export function riskOf(
  view: RepoView,
  path: string,
  around = surroundings(view, path),
  related: readonly Neighbor[] = relatedFiles(view, path, TOP_NEIGHBORS, around),
): RiskReport | undefined {
  const file = knownFile(view, path);
  if (file === undefined) {
    return view.files.paths.has(path) ? inferred(view, path, around) : undefined;
  }
  return {
    path,
    score: file.risk,
    level: view.files.paths.has(path) ? levelOf(file.risk) : "unknown",
    churn_score: file.churn,
    recent_touch_count: touchesSince(view.index, file.id, view.now - 30 * DAY),
    neighbor_count: around.history.companions.size,
    author_count: file.authorCount,
    last_touched_at: lastTouched(file),
    reasons: riskReasons(view, file),
    top_neighbors: related.slice(0, TOP_NEIGHBORS).map(neighbor),
    lines: view.files.lines(path) ?? file.lines,
  };
}

/** What a place among the sources is called. */
export function levelOf(score: number): RiskLevel {
  if (score >= HIGH) return "high";
  return score >= MEDIUM ? "medium" : "low";
}

function neighbor({ path, cochange_count, recency_weight }: Neighbor): Neighbor {
  return { path, cochange_count, recency_weight };
}

const MOST_LINKS = 6;
const MOST_TESTS = 4;

/** Of a file without a history: what it is connected with is all that can be said. */
function inferred(view: RepoView, path: string, around: Surroundings): RiskReport {
  const uses = view.files.linksFrom(path).map((link) => link.path);
  const usedBy = view.files.linksTo(path).map((link) => link.path);
  const links = [...new Set([...uses, ...usedBy])].slice(0, MOST_LINKS);
  const tests = suggestTests(view, path, MOST_TESTS, around);
  const reasons = ["the file is new to the history"];
  if (links.length > 0) reasons.push(`it uses or is used by ${counted(links.length, "file")}`);
  if (tests.length > 0) reasons.push(`${counted(tests.length, "test")} may cover it`);
  if (reasons.length === 1) reasons.push("nothing is known to be connected with it");
  return {
    path,
    score: 2 * Math.min(links.length, 3) + 2 * Math.min(tests.length, 2),
    level: links.length >= 2 || tests.length >= 1 ? "medium" : "low",
    churn_score: 0,
    recent_touch_count: 0,
    neighbor_count: links.length,
    author_count: 0,
    last_touched_at: "",
    reasons,
    top_neighbors: links
      .slice(0, TOP_NEIGHBORS)
      .map((link) => ({ path: link, cochange_count: 0, recency_weight: 0 })),
    lines: view.files.lines(path) ?? 0,
  };
}
