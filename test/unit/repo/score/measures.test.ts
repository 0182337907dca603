import { describe, expect, test } from "bun:test";
import {
  compare,
  drawResamples,
  precisionAt,
  recallAt,
  reciprocalRank,
  resampledMean,
} from "../../../../src/repo/score/measures.ts";
import { isTelling, type RiskCase, scoreRisk } from "../../../../src/repo/score/score-risk.ts";

const wanted = new Set(["b", "d", "z"]);

describe("measures of one answer", () => {
  test("recall is the share of the wanted that was named early enough", () => {
    expect(recallAt(["a", "b", "c", "d"], wanted, 4)).toBeCloseTo(2 / 3);
    expect(recallAt(["a", "b", "c", "d"], wanted, 3)).toBeCloseTo(1 / 3);
    expect(recallAt([], wanted, 3)).toBe(0);
  });

  test("precision is the share of the named that was wanted", () => {
    expect(precisionAt(["a", "b"], wanted, 4)).toBe(0.5);
    expect(precisionAt(["a", "c", "e", "f", "b"], wanted, 4)).toBe(0);
    expect(precisionAt([], wanted, 4)).toBe(0);
  });

  test("the reciprocal rank is that of the first that was wanted", () => {
    expect(reciprocalRank(["a", "b", "d"], wanted)).toBe(0.5);
    expect(reciprocalRank(["a"], wanted)).toBe(0);
  });
});

describe("compare", () => {
  test("gives means with intervals, the same in every run", () => {
    const values = Array.from({ length: 100 }, (_, at) => at % 2);
    const run = () => {
      const draws = drawResamples(values.length);
      return compare("m", [
        resampledMean("ours", values, draws),
        resampledMean(
          "worse",
          values.map(() => 0),
          draws,
        ),
        resampledMean(
          "close",
          values.map((value) => value * 0.9),
          draws,
        ),
      ]);
    };
    const score = run();
    expect(score).toEqual(run());
    const [ours] = score.rankers;
    expect(ours).toMatchObject({ ranker: "ours", mean: 0.5 });
    expect(ours?.low).toBeWithin(0.38, 0.44);
    expect(ours?.high).toBeWithin(0.56, 0.62);
    expect(score.best_other).toBe("close");
    expect(score.ahead.mean).toBeCloseTo(0.05);
    expect(score.ahead.low).toBeGreaterThan(0);
  });
});

const file = (lines: number, risk: number, wasFixed: boolean): RiskCase => ({
  lines,
  risk,
  commits: 1,
  wasFixed,
});

describe("scoreRisk", () => {
  const cases = [
    file(10, 90, true),
    file(10, 80, true),
    file(40, 70, false),
    file(30, 10, false),
    file(10, 0, true),
  ];
  const [auc, recall] = scoreRisk([cases]);
  const of = (score: typeof auc, ranker: string) =>
    score?.rankers.find((one) => one.ranker === ranker)?.mean;

  test("the curve's area is how often a fixed file stands above another", () => {
    expect(of(auc, "pallium")).toBeCloseTo(4 / 6, 3);
    expect(of(auc, "lines of code")).toBe(0);
    expect(of(auc, "commits")).toBe(0.5);
  });

  test("recall counts the fixed files in the riskiest fifth of the lines", () => {
    expect(of(recall, "pallium")).toBeCloseTo(2 / 3, 3);
    expect(of(recall, "lines of code")).toBe(0);
  });

  test("nothing can be told where no file was fixed, or all were", () => {
    expect(isTelling(cases)).toBe(true);
    expect(isTelling([file(1, 1, true)])).toBe(false);
    expect(isTelling([file(1, 1, false)])).toBe(false);
  });
});
