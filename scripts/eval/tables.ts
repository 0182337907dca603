/** Reports as tables in Markdown. */
import type { Estimate, MeasureScore } from "../../src/repo/score/measures.ts";
import type { ScoreReport } from "../../src/repo/score/score-repository.ts";

export interface Scored {
  readonly name: string;
  readonly report: ScoreReport;
}

const PARTS = [
  { part: "related", cases: "commits" },
  { part: "tests", cases: "commits" },
  { part: "risk", cases: "fixed files" },
] as const;

/** One table per measure, a row per repository, and one of what was looked at. */
export function tables(scored: readonly Scored[]): string {
  const measured = PARTS.flatMap(({ part, cases }) => {
    const measures = scored.flatMap(({ report }) => report[part].measures);
    const names = [...new Set(measures.map(({ measure }) => measure))];
    return names.map((name) => measureTable(name, cases, rowsOf(scored, part, name)));
  });
  return [sourcesTable(scored), ...measured].join("\n\n");
}

interface Row {
  readonly name: string;
  readonly cases: number;
  readonly score: MeasureScore;
}

function rowsOf(
  scored: readonly Scored[],
  part: (typeof PARTS)[number]["part"],
  measure: string,
): readonly Row[] {
  return scored.flatMap(({ name, report }) => {
    const { cases, measures } = report[part];
    return measures
      .filter((score) => score.measure === measure)
      .map((score) => ({ name, cases, score }));
  });
}

function measureTable(title: string, cases: string, rows: readonly Row[]): string {
  const rankers = rows[0]?.score.rankers.map(({ ranker }) => ranker) ?? [];
  const lines = rows.map(({ name, cases: count, score }) => [
    name,
    `${count}`,
    ...score.rankers.map((one) => interval(one)),
    score.best_other,
    interval(score.ahead, 3),
  ]);
  const header = ["", cases, ...rankers, "best other", "ahead of it"];
  return `**${title}**\n\n${table(header, lines)}`;
}

function sourcesTable(scored: readonly Scored[]): string {
  const lines = scored.map(({ name, report }) => [
    name,
    `\`${report.head.slice(0, 12)}\``,
    report.from.slice(0, 10),
    report.to.slice(0, 10),
  ]);
  return table(["", "latest commit", "from", "to"], lines);
}

/** A table in Markdown. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function interval({ mean, low, high }: Estimate, digits = 2): string {
  return `${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
