/** The files where size, changes and fixes come together, and what says so. */
import { byPath } from "../../../lib/by-text.ts";
import { counted } from "../../../lib/counted.ts";
import type { FileMeasures, MeasuredFile } from "./measures.ts";

export interface Hotspot extends FileMeasures {
  /** 100 for the worst file of the repository. */
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The worst first. Only code counts. */
export function findHotspots(files: readonly MeasuredFile[], limit: number): readonly Hotspot[] {
  const ranked = files
    .filter(({ kind, lines, commits }) => kind === "code" && lines > 0 && commits > 0)
    .map((file) => ({ file, danger: dangerOf(file) }))
    .sort((a, b) => b.danger - a.danger || byPath(a.file, b.file));
  const worst = ranked[0]?.danger ?? 0;
  const longer = placeAmong(files.map(({ lines }) => lines));
  return ranked.slice(0, limit).map(({ file, danger }) => {
    const { fixHeat: _, ...measures } = file;
    const score = worst === 0 ? 0 : Math.round((100 * danger) / worst);
    return { ...measures, score, reasons: reasonsOf(file, longer(file.lines)) };
  });
}

/** Logarithms, so that none of the three drowns the others. */
function dangerOf({ lines, heat, fixHeat }: MeasuredFile): number {
  return Math.log1p(lines) * Math.log1p(heat) * (1 + Math.log1p(fixHeat));
}

function reasonsOf(file: MeasuredFile, longer: number): readonly string[] {
  const { lines, commits, recent_commits, fixes } = file;
  const size = counted(lines, "line");
  return [
    longer >= 50 ? `${size}: longer than ${longer} % of files` : size,
    `${counted(commits, "commit")}, ${recent_commits === 0 ? "none" : recent_commits} of them in 90 days`,
    ...(fixes > 0 ? [`${fixes} of ${commits} fixed something`] : []),
  ];
}

/** Tells how many in a hundred values are below one, rounded down. */
function placeAmong(values: readonly number[]): (value: number) => number {
  return (value) => Math.floor((100 * values.filter((one) => one < value).length) / values.length);
}
