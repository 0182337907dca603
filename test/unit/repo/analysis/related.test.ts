import { describe, expect, test } from "bun:test";
import { type Related, relatedFiles } from "../../../../src/repo/analysis/related.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";
import { withView } from "../../../support/view.ts";

const DAY = 24 * 3600;
const START = Date.UTC(2024, 0, 1) / 1000;

/** Commits the files, with new content, so often. */
async function change(repo: TestRepository, times: number, paths: readonly string[], at?: number) {
  for (let time = 0; time < times; time += 1) {
    const text = `${crypto.randomUUID()}\n`;
    const files = Object.fromEntries(paths.map((path) => [path, text]));
    await repo.commit("change", files, at === undefined ? {} : { at: at + time });
  }
}

const related = (repo: TestRepository, path: string, limit = 10) =>
  withView(repo, (view) => relatedFiles(view, path, limit));

const paths = (answer: readonly Related[]) => answer.map(({ path }) => path);

describe("relatedFiles", () => {
  test("counts, weighs and explains what changed together", async () => {
    await using repo = await testRepository();
    await change(repo, 3, ["core/a.go", "web/page.js"]);
    await change(repo, 1, ["core/a.go"]);
    const [first] = await related(repo, "core/a.go");
    expect(first).toMatchObject({
      path: "web/page.js",
      cochange_count: 3,
      confidence: 0.75,
      support: 4,
      reasons: ["changed together in 3 of 4 commits"],
    });
    expect(first?.recency_weight).toBeWithin(2.5, 3);
    expect(first?.score).toBeWithin(0.3, 1);
  });

  test("never names files that are deleted, in a commit or in the working tree (repo C8)", async () => {
    await using repo = await testRepository();
    await change(repo, 3, ["a.go", "deleted.js", "removed.js", "kept.js"]);
    await repo.commit("delete", { "deleted.js": null });
    await repo.write({ "removed.js": null });
    expect(paths(await related(repo, "a.go"))).toEqual(["kept.js"]);
  });

  test("keeps what was learnt of a file under its old name (repo C8)", async () => {
    await using repo = await testRepository();
    await change(repo, 3, ["a.go", "old.js"]);
    await repo.git("mv", "old.js", "new.js");
    await repo.commit("rename");
    expect((await related(repo, "a.go"))[0]).toMatchObject({ path: "new.js", cochange_count: 3 });
  });

  test("a rename that is not committed takes along what was learnt, both ways", async () => {
    await using repo = await testRepository();
    await change(repo, 3, ["a.go", "old.js"]);
    await repo.git("mv", "old.js", "new.js");
    const together = { cochange_count: 3, support: 3 };
    expect((await related(repo, "a.go"))[0]).toMatchObject({ path: "new.js", ...together });
    expect((await related(repo, "new.js"))[0]).toMatchObject({ path: "a.go", ...together });
  });

  test("what happened lately counts more than what happened long ago", async () => {
    await using repo = await testRepository();
    await change(repo, 3, ["a.go", "once.js"], START - 2000 * DAY);
    await change(repo, 2, ["a.go", "now.js"], START);
    expect(paths(await related(repo, "a.go", 2))).toEqual(["now.js", "once.js"]);
  });

  test("small commits say more than large ones, and bulk commits nothing (repo S1)", async () => {
    await using repo = await testRepository();
    const many = Array.from({ length: 18 }, (_, at) => `other/${at}.js`);
    await change(repo, 2, ["a.go", "zz/small.js"]);
    await change(repo, 2, ["a.go", ...many]);
    expect(paths(await related(repo, "a.go", 1))).toEqual(["zz/small.js"]);
    const bulk = Array.from({ length: 60 }, (_, at) => `bulk/${at}.js`);
    await change(repo, 3, ["a.go", ...bulk]);
    const found = paths(await related(repo, "a.go", 100));
    expect(found.filter((path) => path.startsWith("bulk/"))).toEqual([]);
  });

  test("a file without history is ranked by imports, name and folder", async () => {
    await using repo = await testRepository();
    await repo.commit("first", {
      "src/store.ts": "export const store = 1;\n",
      "src/other.ts": "export const other = 1;\n",
      "lib/far.ts": "export const far = 1;\n",
      "docs/session.md": "about\n",
    });
    await repo.write({
      "src/session.ts": 'import { store } from "./store";\n',
      "src/zpage.ts": 'import "./session";\n',
    });
    const answer = await related(repo, "src/session.ts");
    expect(paths(answer)).toEqual([
      "src/zpage.ts",
      "src/store.ts",
      "src/other.ts",
      "docs/session.md",
    ]);
    expect(answer[1]).toMatchObject({
      cochange_count: 0,
      support: 0,
      confidence: 0,
      reasons: ["is used by it", "lies in the same folder"],
    });
    expect(answer[3]?.reasons).toEqual(["has the same name"]);
  });

  test("imports count both ways beside history (repo L11)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", {
      "app/main.ts": 'import "../core/engine";\n',
      "core/engine.ts": "export {};\n",
    });
    await change(repo, 1, ["core/engine.ts", "docs/engine-notes.txt"]);
    const reasons = new Map(
      (await related(repo, "core/engine.ts")).map((r) => [r.path, r.reasons]),
    );
    expect(reasons.get("app/main.ts")).toContain("uses it");
  });

  test("names the same first files, however many are asked for", async () => {
    await using repo = await testRepository();
    await change(repo, 6, ["src/parser.ts", "docs/changes.md"]);
    await change(repo, 1, ["src/parser.ts", "src/lexer.ts", "src/tokens.ts"], START);
    await change(repo, 4, ["src/parser.ts"]);
    await change(repo, 1, ["test/parser.test.ts"]);
    await change(repo, 1, ["src/parser-options.ts"]);
    const all = await related(repo, "src/parser.ts", Number.POSITIVE_INFINITY);
    expect(paths(all).slice(0, 2)).toEqual(["docs/changes.md", "test/parser.test.ts"]);
    for (const limit of all.keys()) {
      expect(await related(repo, "src/parser.ts", limit)).toEqual(all.slice(0, limit));
    }
  });

  test("of two that come out equal names the same first, however they get there", async () => {
    await using repo = await testRepository();
    const others = Array.from({ length: 24 }, (_, at) => `lib/x${at}.ts`);
    const used = ["lib/engine.css", ...others];
    await repo.commit("first", Object.fromEntries([...used, "m/zeta.ts"].map((p) => [p, "//\n"])));
    const imports = used.map((path) => `import "../${path}";\n`);
    await repo.write({ "m/engine.ts": imports.join("") });
    const [first, second] = await related(repo, "m/engine.ts", Number.POSITIVE_INFINITY);
    expect(first).toMatchObject({ path: "lib/engine.css", score: second?.score });
    expect(second?.path).toBe("m/zeta.ts");
    expect(paths(await related(repo, "m/engine.ts", 1))).toEqual(["lib/engine.css"]);
  });

  test("answers nothing about an unknown file in an empty corner", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.go": "package a\n" });
    expect(await related(repo, "nowhere/zz.py")).toEqual([]);
  });
});
