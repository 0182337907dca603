/** What the map says of each file. */
import { rounded } from "../../../lib/rounded.ts";
import { levelOf, type RiskLevel } from "../../analysis/risk.ts";
import type { RepoView } from "../../analysis/view.ts";
import { type FileRow, lastTouched, trackedFiles } from "../../history/queries.ts";
import { kindOf, type MapKind } from "./kinds.ts";

export interface FileMeasures {
  readonly path: string;
  /** 0 for what is no text, or too large to be written by hand. */
  readonly lines: number;
  /** Commits that touched it. */
  readonly commits: number;
  /** The same of the last 90 days. */
  readonly recent_commits: number;
  /** Commits that touched it, each counting the less the older it is; one of today counts 1. */
  readonly heat: number;
  /** Commits that touched it and mended something. */
  readonly fixes: number;
  /** Of its commits, 0 to 1. */
  readonly fix_share: number;
  /** 0 to 100: the share of the repository's files that are less risky. */
  readonly risk: number;
  /** `unknown` for what was never committed. */
  readonly level: RiskLevel;
  readonly authors: number;
  /** RFC 3339 in UTC, or empty. */
  readonly last_touched_at: string;
  readonly kind: MapKind;
}

/** The same, and what only the ranking of hotspots needs. */
export interface MeasuredFile extends FileMeasures {
  /** As `heat`, of commits that mended something. */
  readonly fixHeat: number;
}

const RECENT_DAYS = 90;
const DAY = 24 * 3600;

interface Counts {
  readonly file_id: number;
  readonly fixes: number;
  readonly recent: number;
}

/** Every file as it is now, by path. */
export function measureFiles({ index, files, now }: RepoView): readonly MeasuredFile[] {
  const rows = new Map(trackedFiles(index, now).map((row) => [row.path, row]));
  const counts = new Map(
    index
      .all<Counts>(
        `SELECT file_id, sum(is_fix) AS fixes, sum(committed_at >= ?) AS recent
         FROM touches JOIN commits ON commits.id = commit_id GROUP BY file_id`,
        now - RECENT_DAYS * DAY,
      )
      .map((row) => [row.file_id, row]),
  );
  return [...files.paths].sort().map((path) => {
    const row = rows.get(path);
    const lines = files.lines(path) ?? row?.lines ?? 0;
    return row === undefined ? untouched(path, lines) : measured(row, counts.get(row.id), lines);
  });
}

function measured(row: FileRow, counts: Counts | undefined, lines: number): MeasuredFile {
  const { path, churn: commits, heat, fixHeat, risk, authorCount: authors } = row;
  const { fixes = 0, recent = 0 } = counts ?? {};
  return {
    path,
    lines,
    commits,
    recent_commits: recent,
    heat: rounded(heat),
    fixes,
    fix_share: commits === 0 ? 0 : rounded(fixes / commits),
    risk,
    level: levelOf(risk),
    authors,
    last_touched_at: lastTouched(row),
    kind: kindOf(path),
    fixHeat,
  };
}

function untouched(path: string, lines: number): MeasuredFile {
  return {
    path,
    lines,
    commits: 0,
    recent_commits: 0,
    heat: 0,
    fixes: 0,
    fix_share: 0,
    risk: 0,
    level: "unknown",
    authors: 0,
    last_touched_at: "",
    kind: kindOf(path),
    fixHeat: 0,
  };
}
