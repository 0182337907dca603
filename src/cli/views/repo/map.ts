/** The hotspots of a repository as a table. */
import { visibleName } from "../../../lib/visible-name.ts";
import type { Hotspot } from "../../../repo/reports/map/hotspots.ts";
import type { FolderTotals } from "../../../repo/reports/map/tree.ts";
import type { MapReport } from "../../../repo/reports/map.ts";
import { type Column, type TableOptions, tableLines } from "../table.ts";

const BAR_WIDTH = 10;
/** From so many columns on there is room for reasons. */
const WIDE = 130;
const MOST_FOLDERS = 12;

export function mapText(report: MapReport, options: TableOptions): string {
  const { html_path, hotspots, folders, tree, repo_root } = report;
  if (html_path !== undefined) return `Map written to ${visibleName(html_path)}`;
  const size = `${number(tree.files)} files, ${number(tree.lines)} lines`;
  const title = `Hotspots of ${visibleName(repo_root)} (${size})`;
  if (hotspots.length === 0) return `${title}\nNone: there is no code with a history.`;
  const isWide = (options.columns ?? WIDE) >= WIDE;
  const more = folders.length - MOST_FOLDERS;
  return [
    title,
    "",
    ...tableLines(hotspots, isWide ? [...HOTSPOT_COLUMNS, WHY] : HOTSPOT_COLUMNS, options),
    ...(folders.length === 0 ? [] : [""]),
    ...(folders.length === 0
      ? []
      : tableLines(folders.slice(0, MOST_FOLDERS), FOLDER_COLUMNS, options)),
    ...(more > 0 ? [`and ${more} more (--json lists all)`] : []),
  ].join("\n");
}

const HOTSPOT_COLUMNS: readonly Column<Hotspot>[] = [
  { title: "File", cut: "start", cell: ({ path }) => visibleName(path) },
  { title: "Lines", align: "right", cell: ({ lines }) => number(lines) },
  { title: "Commits", align: "right", cell: ({ commits }) => number(commits) },
  { title: "Fixes", align: "right", cell: ({ fixes }) => number(fixes) },
  { title: "Hotspot", cell: ({ score }) => bar(score), format: ({ level }) => LEVELS[level] },
  { title: "Risk", cell: ({ risk, level }) => `${risk} ${level}` },
];

const WHY: Column<Hotspot> = {
  title: "Why",
  cut: "end",
  cell: ({ reasons }) => reasons.join("; "),
  format: () => "dim",
};

const LEVELS = { high: "red", medium: "yellow", low: "dim", unknown: "dim" } as const;

const FOLDER_COLUMNS: readonly Column<FolderTotals>[] = [
  { title: "Folder", cut: "start", cell: ({ path }) => `${visibleName(path)}/` },
  { title: "Files", align: "right", cell: ({ files }) => number(files) },
  { title: "Lines", align: "right", cell: ({ lines }) => number(lines) },
  { title: "Changes", align: "right", cell: ({ touches }) => number(touches) },
  { title: "Fixes", align: "right", cell: ({ fixes }) => number(fixes) },
  { title: "High risk", align: "right", cell: ({ high_risk_files: files }) => number(files) },
];

function bar(score: number): string {
  const filled = Math.max(1, Math.round((score * BAR_WIDTH) / 100));
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

function number(value: number): string {
  return value.toLocaleString("en");
}
