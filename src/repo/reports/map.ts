/** Where a repository is large, busy and often mended: its hotspots, and all its files as a tree. */
import { isoTime } from "../../lib/iso-time.ts";
import type { RepoView } from "../analysis/view.ts";
import { findHotspots, type Hotspot } from "./map/hotspots.ts";
import { type MeasuredFile, measureFiles } from "./map/measures.ts";
import { buildTree, type FolderTotals, isFolder, type MapFolder } from "./map/tree.ts";

export interface MapReport {
  readonly repo_root: string;
  readonly branch: string;
  /** The indexed commit. */
  readonly commit: string;
  /** When the map was made. RFC 3339 in UTC. */
  readonly created_at: string;
  /** The worst first. */
  readonly hotspots: readonly Hotspot[];
  /** Folders at the top, the largest first; files that lie there themselves are in none. */
  readonly folders: readonly FolderTotals[];
  readonly tree: MapFolder;
  /** Where the page was written, if it was. */
  readonly html_path?: string;
}

/** What a map is headed with. */
export type MapPlace = Pick<MapReport, "repo_root" | "branch" | "commit">;

/** @param limit most hotspots to name. */
export function mapReport(view: RepoView, place: MapPlace, limit: number): MapReport {
  const files = measureFiles(view);
  const tree = buildTree(files.map(withoutInner));
  return {
    ...place,
    created_at: isoTime(view.now),
    hotspots: findHotspots(files, limit),
    folders: tree.children
      .filter(isFolder)
      .map(({ children: _, ...totals }) => totals)
      .sort((a, b) => b.lines - a.lines),
    tree,
  };
}

function withoutInner({ fixHeat: _, ...measures }: MeasuredFile) {
  return measures;
}
