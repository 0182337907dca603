import type { FileMeasures } from "../../src/repo/reports/map/measures.ts";
import { buildTree } from "../../src/repo/reports/map/tree.ts";
import type { MapReport } from "../../src/repo/reports/map.ts";

/** A file of a map, with ten lines and one commit unless told otherwise. */
export function file(path: string, measures: Partial<FileMeasures> = {}): FileMeasures {
  return {
    path,
    lines: 10,
    commits: 1,
    recent_commits: 0,
    heat: 1,
    fixes: 0,
    fix_share: 0,
    risk: 50,
    level: "low",
    authors: 1,
    last_touched_at: "2026-09-01T00:00:00.000Z",
    kind: "code",
    ...measures,
  };
}

/** A map of these files, each of them a hotspot. */
export function mapOf(
  files: readonly FileMeasures[],
  { repo_root = "/somewhere/project" } = {},
): MapReport {
  const hotspots = files.map((one) => ({ ...one, score: 50, reasons: ["10 lines"] }));
  const tree = buildTree(files);
  return {
    repo_root,
    branch: "main",
    commit: "0123456789abcdef0123456789abcdef01234567",
    created_at: "2026-09-02T00:00:00.000Z",
    hotspots,
    folders: [],
    tree,
  };
}
