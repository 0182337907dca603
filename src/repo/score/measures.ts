/** How good answers are, and how sure that is. */
import { rounded } from "../../lib/rounded.ts";
import { seededRandom } from "./random.ts";

/** The share of what was wanted that is among the first so many of an answer. */
export function recallAt(
  answer: readonly string[],
  wanted: ReadonlySet<string>,
  most: number,
): number {
  return hits(answer, wanted, most) / wanted.size;
}

/** The share of the first so many of an answer that was wanted; 0 of no answer. */
export function precisionAt(
  answer: readonly string[],
  wanted: ReadonlySet<string>,
  most: number,
): number {
  if (answer.length === 0) return 0;
  return hits(answer, wanted, most) / Math.min(answer.length, most);
}

/** One divided by the place of the first that was wanted; 0 where none was. */
export function reciprocalRank(answer: readonly string[], wanted: ReadonlySet<string>): number {
  const at = answer.findIndex((path) => wanted.has(path));
  return at < 0 ? 0 : 1 / (at + 1);
}

function hits(answer: readonly string[], wanted: ReadonlySet<string>, most: number): number {
  return answer.slice(0, most).filter((path) => wanted.has(path)).length;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** A value with its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface RankerScore extends Estimate {
  readonly ranker: string;
}

/** One measure of several rankers, ours first. */
export interface MeasureScore {
  readonly measure: string;
  readonly rankers: readonly RankerScore[];
  /** The best of the others. */
  readonly best_other: string;
  /** How far ours is ahead of it, on the same cases. */
  readonly ahead: Estimate;
}

/** A value on all cases, and on each of many resamples of them, which all rankers have in common. */
export interface Resampled {
  readonly ranker: string;
  readonly value: number;
  readonly resamples: readonly number[];
}

const RESAMPLES = 1000;
const SEED = 20_261_202;

/**
 * Draws cases anew, as often as there are, many times over.
 * @returns for each time, how often each case was drawn.
 */
export function drawResamples(cases: number, times = RESAMPLES): readonly Uint16Array[] {
  const random = seededRandom(SEED);
  return Array.from({ length: times }, () => {
    const counts = new Uint16Array(cases);
    for (let drawn = 0; drawn < cases; drawn += 1) {
      const at = Math.floor(random() * cases);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  });
}

/** The mean of one value per case. */
export function resampledMean(
  ranker: string,
  values: readonly number[],
  draws: readonly Uint16Array[],
): Resampled {
  const mean = (counts: Uint16Array) =>
    values.reduce((sum, value, at) => sum + value * (counts[at] ?? 0), 0) / values.length;
  return { ranker, value: meanOf(values), resamples: draws.map(mean) };
}

/** @param all ours first, then at least one other. */
export function compare(measure: string, all: readonly Resampled[]): MeasureScore {
  const [ours, ...others] = all;
  const best = others.reduce((a, b) => (b.value > a.value ? b : a), others[0] ?? NOTHING);
  const { value, resamples } = ours ?? NOTHING;
  return {
    measure,
    rankers: all.map((one) => ({ ranker: one.ranker, ...estimate(one.value, one.resamples) })),
    best_other: best.ranker,
    ahead: estimate(
      value - best.value,
      resamples.map((resample, at) => resample - (best.resamples[at] ?? 0)),
    ),
  };
}

const NOTHING: Resampled = { ranker: "", value: 0, resamples: [] };

function estimate(value: number, resamples: readonly number[]): Estimate {
  const sorted = resamples.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.round(share * (sorted.length - 1))] ?? value);
  return { mean: rounded(value), low: at(0.025), high: at(0.975) };
}
