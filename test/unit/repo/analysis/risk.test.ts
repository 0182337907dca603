import { describe, expect, test } from "bun:test";
import { levelOf, type RiskReport, riskOf } from "../../../../src/repo/analysis/risk.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";
import { withView } from "../../../support/view.ts";

const DAY = 24 * 3600;
const NOW = Date.UTC(2026, 10, 1) / 1000;

const risk = (repo: TestRepository, path: string) =>
  withView(repo, (view) => riskOf(view, path), NOW);

async function levels(repo: TestRepository, paths: readonly string[]) {
  return withView(repo, (view) => paths.map((path) => riskOf(view, path)?.level), NOW);
}

/** Twenty sources, the last of which were touched most often. */
async function twentySources(): Promise<TestRepository> {
  const repo = await testRepository();
  for (let round = 0; round < 12; round += 1) {
    const touched = Array.from({ length: 20 }, (_, at) => at).filter((at) => at >= round * 1.6);
    const files = touched.map((at) => [`src/f${at}.ts`, `${"x\n".repeat(at + 1)}${round}\n`]);
    await repo.commit(`fix: round ${round}`, Object.fromEntries(files), {
      at: NOW - (24 - round) * DAY,
      by: `author${round}`,
    });
  }
  return repo;
}

describe("riskOf", () => {
  test("places a file among the sources, and says why in numbers (repo C4)", async () => {
    await using repo = await twentySources();
    const report = await risk(repo, "src/f19.ts");
    expect(report).toMatchObject({
      score: 95,
      level: "high",
      churn_score: 12,
      recent_touch_count: 12,
      author_count: 12,
      neighbor_count: 19,
      lines: 21,
      last_touched_at: "2026-10-19T00:00:00.000Z",
    });
    expect(report?.reasons).toEqual([
      "touched by 12 commits, 12 of them in 90 days: busier than 90 % of files",
      "12 of 12 commits fixed something: more than 90 % of files",
      "21 lines: longer than 95 % of files",
      "12 authors: more than 90 % of files",
    ]);
    expect(report?.top_neighbors).toHaveLength(5);
  });

  test("says how it stands among all files, of which documents are some", async () => {
    await using repo = await twentySources();
    const notes = Array.from({ length: 20 }, (_, at) => [`notes/n${at}.md`, "a note\n"]);
    await repo.commit("notes", Object.fromEntries(notes), { at: NOW - DAY });
    const report = await risk(repo, "src/f19.ts");
    expect(report?.score).toBe(95);
    expect(report?.reasons).toContain("21 lines: longer than 97 % of files");
  });

  test("a commit dated where no calendar goes does not keep the answer back", async () => {
    await using repo = await testRepository();
    await repo.commit("touch it", { "src/far.ts": "1\n" }, { at: 99_999_999_999_999 });
    expect((await risk(repo, "src/far.ts"))?.last_touched_at).toBe("+275760-09-13T00:00:00.000Z");
  });

  test("only few files are high, the rest are not, however many commits there are (repo C4)", async () => {
    await using repo = await twentySources();
    const all = await levels(
      repo,
      Array.from({ length: 20 }, (_, at) => `src/f${at}.ts`),
    );
    expect(all.filter((level) => level === "high")).toHaveLength(2);
    expect(all.filter((level) => level === "medium")).toHaveLength(4);
    expect(all[0]).toBe("low");
  });

  test("a history of two commits makes nothing risky (repo C4)", async () => {
    await using repo = await testRepository();
    const files = (n: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.ts`, `${n}\n`]));
    await repo.commit("first", files(1));
    await repo.commit("fix: second", { ...files(2), "f0.ts": "3\n".repeat(500) });
    const all = await levels(repo, Object.keys(files(1)));
    expect(new Set(all)).toEqual(new Set(["low"]));
  });

  test("bulk commits say nothing of risk (repo C4)", async () => {
    await using repo = await testRepository();
    for (let round = 0; round < 8; round += 1) {
      const files = Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, `${round}\n`.repeat(at)]);
      await repo.commit(`fix: sweep ${round}`, Object.fromEntries(files));
    }
    expect(await risk(repo, "f59.ts")).toMatchObject({ churn_score: 8, level: "low" });
  });

  test("a few commits are not enough to be high", async () => {
    await using repo = await testRepository();
    const quiet = Array.from({ length: 20 }, (_, at) => [`f${at}.ts`, "1\n"]);
    await repo.commit("first", Object.fromEntries(quiet));
    for (let n = 0; n < 4; n += 1)
      await repo.commit(`fix: ${n}`, { "hot.ts": `${n}\n`.repeat(99) });
    expect(await risk(repo, "hot.ts")).toMatchObject({ score: 89, level: "medium" });
  });

  test("touches count more than lines", async () => {
    await using repo = await testRepository();
    const quiet = Array.from({ length: 10 }, (_, at) => [`f${at}.ts`, "1\n2\n"]);
    await repo.commit("first", { ...Object.fromEntries(quiet), "long.ts": "1\n".repeat(999) });
    for (let n = 0; n < 9; n += 1) await repo.commit(`change ${n}`, { "short.ts": `${n}\n` });
    const [short = 0, long = 0] = await withView(
      repo,
      (view) => ["short.ts", "long.ts"].map((path) => riskOf(view, path)?.score),
      NOW,
    );
    expect(short).toBeGreaterThan(long);
  });

  test("documents and lock files are not risky, and tests medium at most", async () => {
    await using repo = await twentySources();
    for (let round = 0; round < 30; round += 1) {
      await repo.commit(`fix: ${round}`, {
        "CHANGELOG.md": `${"x\n".repeat(200)}${round}\n`,
        "yarn.lock": `${"x\n".repeat(200)}${round}\n`,
        "src/f19.test.ts": `${"x\n".repeat(200)}${round}\n`,
        "build.mk": `${"x\n".repeat(200)}${round}\n`,
      });
    }
    const paths = ["CHANGELOG.md", "yarn.lock", "src/f19.test.ts", "build.mk"];
    expect(await levels(repo, paths)).toEqual(["low", "low", "medium", "high"]);
  });

  test("a new file has an inferred report, never high (repo C5)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "store.ts": "export {};\n", "other.go": "package a\n" });
    await repo.write({
      "session.ts": 'import "./store";\n',
      "session.test.ts": 'import "./session";\n',
      "lonely.zz": "1\n",
    });
    expect(await risk(repo, "session.ts")).toMatchObject({
      score: 6,
      level: "medium",
      churn_score: 0,
      neighbor_count: 2,
      last_touched_at: "",
      reasons: [
        "the file is new to the history",
        "it uses or is used by 2 files",
        "1 test may cover it",
      ],
      top_neighbors: [
        { path: "store.ts", cochange_count: 0, recency_weight: 0 },
        { path: "session.test.ts", cochange_count: 0, recency_weight: 0 },
      ],
    });
    expect(await risk(repo, "lonely.zz")).toMatchObject({
      score: 0,
      level: "low",
      reasons: ["the file is new to the history", "nothing is known to be connected with it"],
    });
  });

  test("a deleted file is unknown, and one that never was has no report (repo U2)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n", "b.ts": "1\n" });
    await repo.commit("second", { "a.ts": null });
    const gone: RiskReport | undefined = await risk(repo, "a.ts");
    expect(gone).toMatchObject({ level: "unknown", churn_score: 2 });
    expect(gone?.reasons).toEqual(["the file no longer exists; 2 commits touched it"]);
    expect(await risk(repo, "never.ts")).toBeUndefined();
  });

  test("levels follow the score", () => {
    expect([0, 69, 70, 89, 90, 99].map(levelOf)).toEqual([
      "low",
      "low",
      "medium",
      "medium",
      "high",
      "high",
    ]);
  });
});
