/** How often the first sessions named are ones that answer. */
import {
  compare,
  drawResamples,
  type Estimate,
  type MeasureScore,
  reciprocalRank,
  resampledMean,
} from "../../../src/repo/score/measures.ts";
import { table } from "../tables.ts";
import type { Question } from "./collection.ts";

/** What each ranker named for a question, in the order of the rankers. */
export interface Asked {
  readonly question: Question;
  readonly named: readonly (readonly string[])[];
}

interface Measure {
  readonly name: string;
  readonly of: (named: readonly string[], answers: ReadonlySet<string>) => number;
  readonly digits: number;
  readonly scale: number;
}

const MEASURES: readonly Measure[] = [
  { name: "R@1, %", of: anyAmong(1), digits: 1, scale: 100 },
  { name: "R@5, %", of: anyAmong(5), digits: 1, scale: 100 },
  { name: "MRR", of: reciprocalRank, digits: 3, scale: 1 },
];

function anyAmong(most: number): Measure["of"] {
  return (named, answers) => (named.slice(0, most).some((id) => answers.has(id)) ? 1 : 0);
}

/** A row per measure, a column per ranker, the first of them ours. */
export function scoreTable(rankers: readonly string[], asked: readonly Asked[]): string {
  const draws = drawResamples(asked.length);
  const rows = MEASURES.map(({ name, of, digits, scale }) => {
    const score: MeasureScore = compare(
      name,
      rankers.map((ranker, place) => {
        const values = asked.map(({ named, question }) => of(named[place] ?? [], question.answers));
        return resampledMean(ranker, values, draws);
      }),
    );
    const shown = (estimate: Estimate) => interval(estimate, scale, digits);
    return [name, ...score.rankers.map(shown), score.best_other, shown(score.ahead)];
  });
  return table(["", ...rankers, "best other", "ahead of it"], rows);
}

/** Our own figures, a row per kind of question. */
export function groupTable(asked: readonly Asked[]): string {
  const groups = [...new Set(asked.map(({ question }) => question.group))].sort();
  const rows = groups.map((group) => {
    const own = asked.filter(({ question }) => question.group === group);
    const mean = ({ of, digits, scale }: Measure) => {
      const sum = own.reduce(
        (total, { named, question }) => total + of(named[0] ?? [], question.answers),
        0,
      );
      return ((scale * sum) / own.length).toFixed(digits);
    };
    return [group, `${own.length}`, ...MEASURES.map(mean)];
  });
  return table(["", "questions", ...MEASURES.map(({ name }) => name)], rows);
}

function interval({ mean, low, high }: Estimate, scale: number, digits: number): string {
  const shown = (value: number) => (scale * value).toFixed(digits);
  return `${shown(mean)} (${shown(low)} to ${shown(high)})`;
}
