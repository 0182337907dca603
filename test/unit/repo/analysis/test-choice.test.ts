import { describe, expect, test } from "bun:test";
import { suggestTests } from "../../../../src/repo/analysis/test-choice.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";
import { withView } from "../../../support/view.ts";

const suggested = (repo: TestRepository, path: string, limit = 4) =>
  withView(repo, (view) => suggestTests(view, path, limit));

const first = async (repo: TestRepository, path: string) => (await suggested(repo, path))[0]?.path;

describe("suggestTests finds the test", () => {
  const cases: readonly [string, string, string][] = [
    ["beside the source", "src/session.ts", "src/session.test.ts"],
    ["in a folder beside it", "src/session.ts", "src/__tests__/session.ts"],
    ["in a folder far from it", "lib/net/session.rb", "spec/net/session_spec.rb"],
    ["in a folder of another layout", "src/flask/session.py", "tests/test_session.py"],
    ["of a class", "src/main/java/a/Session.java", "src/test/java/a/SessionTest.java"],
    ["that is a script", "session.c", "t/t1234-session.sh"],
  ];
  for (const [where, source, test_] of cases) {
    test(`${where}, before any history`, async () => {
      await using repo = await testRepository();
      await repo.commit("first", { "README.md": "1\n", "src/other.test.ts": "1\n" });
      await repo.write({ [source]: "1\n", [test_]: "1\n" });
      expect(await first(repo, source)).toBe(test_);
    });
  }

  test("that imports it under another name", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "README.md": "1\n" });
    await repo.write({
      "src/session.ts": "export const session = 1;\n",
      "src/aside.test.ts": "1\n",
      "test/everything.test.ts": 'import { session } from "../src/session";\n',
    });
    const [best] = await suggested(repo, "src/session.ts");
    expect(best).toMatchObject({
      path: "test/everything.test.ts",
      is_connected: true,
      reasons: ["imports it"],
    });
  });

  test("that imports what imports it", async () => {
    await using repo = await testRepository();
    await repo.commit("first", {
      "src/inner.ts": "export const inner = 1;\n",
      "src/index.ts": 'import { inner } from "./inner";\nexport const outer = inner;\n',
    });
    await repo.commit("second", {
      "test/public.test.ts": 'import { outer } from "../src/index";\n',
    });
    const [best] = await suggested(repo, "src/inner.ts");
    expect(best).toMatchObject({
      path: "test/public.test.ts",
      reasons: ["imports what imports it"],
    });
    expect(best?.score).toBeGreaterThan(0);
  });

  test("in one big file that only history connects with it", async () => {
    await using repo = await testRepository();
    for (let n = 0; n < 4; n += 1) {
      await repo.commit("both", { "src/wire.c": `${n}\n`, "tests/suite.c": `${n}\n` });
      await repo.commit("other", { "src/io.c": `${n}\n`, "tests/io_only.c": `${n}\n` });
    }
    const [best, ...others] = await suggested(repo, "src/wire.c");
    expect(best).toMatchObject({
      path: "tests/suite.c",
      cochange_count: 4,
      is_connected: false,
      reasons: ["changed together in 4 of 4 commits"],
    });
    expect(others).toEqual([]);
  });
});

describe("suggestTests", () => {
  test("ranks before it cuts, however many siblings there are (repo C6)", async () => {
    await using repo = await testRepository();
    const crowd = Array.from({ length: 60 }, (_, at) => [`src/a${at}.test.ts`, "1\n"]);
    await repo.commit("crowd", {
      ...Object.fromEntries(crowd),
      "src/zebra.ts": "export const zebra = 1;\n",
      "src/zebra.test.ts": 'import "./zebra";\n',
    });
    expect((await suggested(repo, "src/zebra.ts", 1)).map(({ path }) => path)).toEqual([
      "src/zebra.test.ts",
    ]);
  });

  test("a test is its own best test", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.test.ts": "1\n", "b.test.ts": "1\n" });
    expect(await first(repo, "a.test.ts")).toBe("a.test.ts");
  });

  test("names no test in another language for a common name (repo L8)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "helper.py": "1\n" });
    await repo.commit("second", { "web/helper.test.ts": "1\n", "helper_test.go": "package a\n" });
    expect(await suggested(repo, "helper.py")).toEqual([]);
  });

  test("names no data files, and none that are gone (repo L7, repo C8)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "pkg/app.py": "1\n", "pkg/test_data.json": "{}\n" });
    await repo.commit("second", { "pkg/test_app.py": "1\n", "pkg/app.py": "2\n" });
    await repo.commit("third", { "pkg/test_app.py": null });
    expect(await suggested(repo, "pkg/app.py")).toEqual([]);
  });

  test("names little beside the test that has the name of the file", async () => {
    await using repo = await testRepository();
    for (let n = 0; n < 4; n += 1) {
      const both = { "src/app.py": `${n}\n`, "tests/test_app.py": `${n}\n` };
      await repo.commit("both", n < 1 ? { ...both, "tests/test_all.py": `${n}\n` } : both);
    }
    const of = async (path: string) => (await suggested(repo, path)).map((test) => test.path);
    expect(await of("src/app.py")).toEqual(["tests/test_app.py"]);
    await repo.git("mv", "tests/test_app.py", "tests/test_whole.py");
    await repo.commit("rename");
    expect(await of("src/app.py")).toEqual(["tests/test_whole.py", "tests/test_all.py"]);
  });

  test("leaves out what is far less likely than the best", async () => {
    await using repo = await testRepository();
    await repo.commit("once", { "src/app.py": "0\n", "tests/unrelated_test.py": "0\n" });
    for (let n = 1; n < 12; n += 1) {
      await repo.commit("both", { "src/app.py": `${n}\n`, "tests/test_app.py": `${n}\n` });
    }
    const paths = (await suggested(repo, "src/app.py")).map(({ path }) => path);
    expect(paths).toEqual(["tests/test_app.py"]);
  });
});

describe("a test that is named like only the kind of a file", () => {
  test("is not said to be named after it, nor to cover it", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "README.md": "1\n" });
    await repo.write({ "lib/cop/alias_cop.rb": "1\n", "spec/cop/cop_spec.rb": "1\n" });
    const [kind] = await suggested(repo, "lib/cop/alias_cop.rb");
    expect(kind).toMatchObject({ is_connected: false, reasons: ["has a similar name"] });
  });

  test.each(["spec/cop/alias_cop_spec.rb", "spec/cop/alias_spec.rb", "spec/alias_cop_fix_spec.rb"])(
    "while %s is",
    async (named) => {
      await using repo = await testRepository();
      await repo.commit("first", { "README.md": "1\n" });
      await repo.write({ "lib/cop/alias_cop.rb": "1\n", [named]: "1\n" });
      const [one] = await suggested(repo, "lib/cop/alias_cop.rb");
      expect(one).toMatchObject({ is_connected: true, reasons: ["is named after it"] });
    },
  );
});
