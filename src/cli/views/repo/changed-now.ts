import type { ChangedFile, ChangedNowReport } from "../../../repo/reports/shapes.ts";
import { block, enumeration, paragraph, pathItem, shown } from "../text.ts";
import { freshnessLines, taskLines } from "./parts.ts";

const MOST_NAMED = 2;

export function changedNowText(report: ChangedNowReport): string {
  const { recommended_next_command: next } = report;
  return [
    ...paragraph(report.summary),
    `Index status: ${report.index_status}`,
    ...freshnessLines(report.freshness),
    ...(next === undefined ? [] : [`Recommended next command: ${next}`]),
    ...block("Changed files", report.files.flatMap(fileLines)),
    ...taskLines(report.task),
  ].join("\n");
}

function fileLines(file: ChangedFile): readonly string[] {
  return [
    ...pathItem(file.path, [`${file.risk_level}, ${file.working_tree_status}`]),
    ...named("test", file.suggested_tests),
    ...named("blast", file.blast_radius),
  ];
}

function named(what: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return enumeration(`  ${what}:`, paths.slice(0, MOST_NAMED).map(shown));
}
