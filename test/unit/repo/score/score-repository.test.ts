import { describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { mainLine } from "../../../../src/repo/score/later-commits.ts";
import type { MeasureScore } from "../../../../src/repo/score/measures.ts";
import { openPast } from "../../../../src/repo/score/past.ts";
import { type ScoreOptions, scoreRepository } from "../../../../src/repo/score/score-repository.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";
import { tempDir } from "../../../support/temp.ts";

const DAY = 24 * 3600;
const START = Date.UTC(2025, 0, 1) / 1000;
const git = createGit(GIT_VARIABLES);

/** Two hundred commits, ten days between them: each source changes with its own test. */
async function pairs(): Promise<TestRepository> {
  const repo = await testRepository();
  const names = Array.from({ length: 12 }, (_, at) => `part${String.fromCharCode(97 + at)}`);
  const all = names.flatMap((name) => [`src/${name}.c`, `tests/check_${name}_everywhere.c`]);
  await repo.commit("first", Object.fromEntries(all.map((path) => [path, "0\n"])), { at: START });
  for (let n = 1; n < 60; n += 1) {
    const name = names[n % (n % 2 === 0 ? 3 : 12)] ?? "";
    const files = { [`src/${name}.c`]: `${n}\n`, [`tests/check_${name}_everywhere.c`]: `${n}\n` };
    await repo.commit(n % 2 === 0 ? "fix: it" : "change", files, { at: START + n * 10 * DAY });
  }
  return repo;
}

async function score(repo: TestRepository, options?: ScoreOptions) {
  await using home = await tempDir();
  const repository = await findRepository(git, repo.path, home.path);
  return scoreRepository({ git, clock: systemClock() }, repository, options);
}

const mean = (measures: readonly MeasureScore[], measure: string, ranker: string) =>
  measures.find((one) => one.measure === measure)?.rankers.find((one) => one.ranker === ranker)
    ?.mean;

describe("scoreRepository", () => {
  test("measures answers of the past against what came next, and leaves no trace", async () => {
    await using repo = await pairs();
    const before = await repo.git("for-each-ref");
    const report = await score(repo, { commits: 40 });
    expect(report).toMatchObject({
      repo_root: repo.path,
      head: (await repo.git("rev-parse", "HEAD")).trim(),
      is_complete: true,
      related: { cases: 40 },
      tests: { cases: 40 },
    });
    const { related, tests, risk } = report;
    expect(mean(related.measures, "recall at 10", "pallium")).toBe(1);
    expect(mean(related.measures, "reciprocal rank", "pallium")).toBeGreaterThan(0.95);
    expect(mean(related.measures, "recall at 5", "same folder")).toBe(0);
    expect(mean(tests.measures, "recall at 4", "pallium")).toBe(1);
    expect(mean(risk.measures, "ROC AUC", "pallium")).toBeGreaterThan(0.9);
    expect(await repo.git("for-each-ref")).toBe(before);
    expect(await repo.git("status", "--porcelain", "--ignored")).toBe("");
  });

  test("is the same in every run", async () => {
    await using repo = await pairs();
    expect(await score(repo, { commits: 20 })).toEqual(await score(repo, { commits: 20 }));
  });

  test("stops when its time is up, and says so", async () => {
    await using repo = await pairs();
    const report = await score(repo, { commits: 40, windows: 0, timeLimitMs: 0 });
    expect(report).toMatchObject({ is_complete: false, related: { cases: 20 } });
  });

  test("one commit leaves nothing to measure", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.c": "1\n" });
    const nothing = { cases: 0, measures: [] };
    expect(await score(repo)).toMatchObject({
      from: "",
      is_complete: true,
      related: nothing,
      tests: nothing,
      risk: nothing,
    });
  });
});

describe("openPast", () => {
  test("knows nothing of what came later, and is gone when it is closed", async () => {
    await using repo = await testRepository();
    await using home = await tempDir();
    await repo.commit("first", { "a.ts": "export {};\n" }, { at: START });
    await repo.commit("second", { "b.ts": 'import "./a";\n', "a.ts": "1\n" }, { at: START + DAY });
    const repository = await findRepository(git, repo.path, home.path);
    const [first, second] = await mainLine(git, repo.path, 10);
    if (first === undefined || second === undefined) throw new Error("two commits expected");
    const past = await openPast(git, repository);
    const early = await past.at(first);
    expect([...early.files.paths]).toEqual(["a.ts"]);
    expect(early.files.linksTo("a.ts")).toEqual([]);
    expect(early.index.all("SELECT subject FROM commits")).toEqual([{ subject: "first" }]);
    expect(early.now).toBe(START);
    const late = await past.at(second);
    expect(late.files.linksTo("a.ts").map(({ path }) => path)).toEqual(["b.ts"]);
    await past[Symbol.asyncDispose]();
    expect(await stat(past.repository.root).catch(() => undefined)).toBeUndefined();
  });

  test("is of a moment that no calendar has as of any other", async () => {
    await using repo = await testRepository();
    await using home = await tempDir();
    const hash = await repo.commit("far", { "a.ts": "1\n" }, { at: 99_999_999_999_999 });
    const repository = await findRepository(git, repo.path, home.path);
    await using past = await openPast(git, repository);
    const view = await past.at({ hash, committedAt: 99_999_999_999_999 });
    expect([...view.files.paths]).toEqual(["a.ts"]);
  });
});
