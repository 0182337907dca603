/** Whether the files that fixes touched later are among those called risky beforehand. */
import { isSource } from "../analysis/source-files.ts";
import type { RepoView } from "../analysis/view.ts";
import { BULK_FILES } from "../history/commit-facts.ts";
import { trackedFiles } from "../history/queries.ts";
import type { LaterCommit } from "./later-commits.ts";
import { compare, drawResamples, type MeasureScore, meanOf, type Resampled } from "./measures.ts";

/** A source at some commit, and what became of it. */
export interface RiskCase {
  readonly lines: number;
  /** Whether a fix touched it afterwards. */
  readonly wasFixed: boolean;
  readonly risk: number;
  readonly commits: number;
}

/** Ours first; the more, the riskier. */
const RANKERS: readonly (readonly [string, (file: RiskCase) => number])[] = [
  ["pallium", ({ risk }) => risk],
  ["lines of code", ({ lines }) => lines],
  ["commits", ({ commits }) => commits],
];

/** The sources of a view held against what came later. */
export function riskCases(view: RepoView, later: readonly LaterCommit[]): readonly RiskCase[] {
  const fixes = later.filter(({ isFix, size }) => isFix && size <= BULK_FILES);
  const fixed = new Set(fixes.flatMap(({ files }) => files));
  return trackedFiles(view.index, view.now)
    .filter(({ path, lines }) => lines > 0 && isSource(path))
    .map(({ path, lines, risk, churn }) => ({
      lines,
      wasFixed: fixed.has(path),
      risk,
      commits: churn,
    }));
}

/** Whether something can be measured: some files were fixed, and others were not. */
export function isTelling(cases: readonly RiskCase[]): boolean {
  return cases.some(({ wasFixed }) => wasFixed) && cases.some(({ wasFixed }) => !wasFixed);
}

const RESAMPLES = 300;
const FIFTH = 0.2;

type Measure = (ranked: readonly Ranked[], counts: Uint16Array | undefined) => number;

/** @param windows at least one, each telling; values are means over them. */
export function scoreRisk(windows: readonly (readonly RiskCase[])[]): readonly MeasureScore[] {
  const draws = windows.map((cases) => drawResamples(cases.length, RESAMPLES));
  const measured = (measure: Measure) =>
    RANKERS.map(([ranker, value]) => {
      const ranked = windows.map((cases) => rank(cases, value));
      return resampled(ranker, ranked, draws, measure);
    });
  return [
    compare("ROC AUC", measured(areaUnderCurve)),
    compare("recall in 20 % of lines", measured(recallInFifth)),
  ];
}

function resampled(
  ranker: string,
  windows: readonly (readonly Ranked[])[],
  draws: readonly (readonly Uint16Array[])[],
  measure: Measure,
): Resampled {
  const mean = (time?: number) =>
    meanOf(
      windows.map((ranked, at) => measure(ranked, time === undefined ? time : draws[at]?.[time])),
    );
  const resamples = Array.from({ length: RESAMPLES }, (_, time) => mean(time));
  return { ranker, value: mean(), resamples };
}

interface Ranked {
  readonly file: RiskCase;
  readonly value: number;
  /** Its place among the cases. */
  readonly at: number;
}

/** The riskiest first; of equal ones the shorter first. */
function rank(cases: readonly RiskCase[], value: (file: RiskCase) => number): readonly Ranked[] {
  return cases
    .map((file, at) => ({ file, value: value(file), at }))
    .sort((a, b) => b.value - a.value || a.file.lines - b.file.lines);
}

/** How often a file that was fixed stands above one that was not; equal ones count half. */
function areaUnderCurve(ranked: readonly Ranked[], counts: Uint16Array | undefined): number {
  let [fixed, others, area] = [0, 0, 0];
  let [equalFixed, equalOthers] = [0, 0];
  for (const [place, { file, value, at }] of ranked.entries()) {
    const count = counts?.[at] ?? 1;
    if (file.wasFixed) equalFixed += count;
    else equalOthers += count;
    if (value === ranked[place + 1]?.value) continue;
    area += equalOthers * (fixed + equalFixed / 2);
    fixed += equalFixed;
    others += equalOthers;
    [equalFixed, equalOthers] = [0, 0];
  }
  return fixed === 0 || others === 0 ? 0.5 : area / (fixed * others);
}

/** The share of fixed files among the riskiest, which are a fifth of all lines. */
function recallInFifth(ranked: readonly Ranked[], counts: Uint16Array | undefined): number {
  const countOf = ({ at }: Ranked) => counts?.[at] ?? 1;
  const room = FIFTH * ranked.reduce((sum, one) => sum + one.file.lines * countOf(one), 0);
  let [lines, found, fixed] = [0, 0, 0];
  for (const one of ranked) {
    lines += one.file.lines * countOf(one);
    if (!one.file.wasFixed) continue;
    fixed += countOf(one);
    if (lines <= room) found += countOf(one);
  }
  return fixed === 0 ? 0 : found / fixed;
}
