import type { MeasureScore, RankerScore } from "../../../repo/score/measures.ts";
import type { ScoredPart, ScoreReport } from "../../../repo/score/score-repository.ts";

/** How good the answers are, each measure with its 95 % interval, beside simple rankings. */
export function scoreText(report: ScoreReport): string {
  const { from, to, is_complete, related, tests, risk } = report;
  const parts = [
    partText(`Related files, ${related.cases} commits`, related),
    partText(`Tests, ${tests.cases} commits`, tests),
    partText(`Risk, ${risk.cases} files that were fixed`, risk),
  ];
  const lines = [
    `Answers measured on ${report.repo_root}`,
    from === ""
      ? "The history is too short to ask about."
      : `Asked from ${day(from)} to ${day(to)}.`,
    ...(is_complete ? [] : ["The time was up before all was asked."]),
    "",
    parts.join("\n\n"),
  ];
  return lines.join("\n");
}

function day(time: string): string {
  return time.slice(0, 10);
}

function partText(title: string, { measures }: ScoredPart): string {
  if (measures.length === 0) return `${title}: nothing to measure`;
  const rankers = measures[0]?.rankers.map(({ ranker }) => ranker) ?? [];
  const header = ["", ...measures.map(({ measure }) => measure)];
  const rows = rankers.map((ranker) => [ranker, ...measures.map((one) => cell(one, ranker))]);
  const ahead = ["ahead of the best other", ...measures.map(({ ahead }) => interval(ahead))];
  return [`${title}:`, ...aligned([header, ...rows, ahead])].join("\n");
}

function cell({ rankers }: MeasureScore, ranker: string): string {
  const score = rankers.find((one) => one.ranker === ranker);
  return score === undefined ? "" : interval(score);
}

function interval({ mean, low, high }: Pick<RankerScore, "mean" | "low" | "high">): string {
  return `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}
