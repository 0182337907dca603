import { expect, test } from "bun:test";
import { freshnessOf } from "../../../../src/repo/reports/freshness.ts";
import { handoffReport } from "../../../../src/repo/reports/handoff.ts";
import { reviewReport } from "../../../../src/repo/reports/review.ts";
import { type ReportOptions, withReports } from "../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";

const text = Array.from({ length: 9 }, (_, n) => `export const value${n} = ${n};\n`).join("");
const python = text.replaceAll("export const ", "").replaceAll(";", "");

const broken = (repo: TestRepository, base = "HEAD~1") =>
  withReports(repo, async (context) => {
    const { broken_imports, notes } = await reviewReport(context, { base });
    return { broken_imports, notes };
  });

test("a review names what still imports a renamed file by its old name", async () => {
  await using repo = await testRepository();
  await repo.commit("first", {
    "src/old.ts": text,
    "src/moved-on.ts": "import { value1 } from './old';\n",
    "src/left.ts": "import { value1 } from './old.js';\n",
    "test/left.test.ts": "import { value1 } from '../src/old';\n",
    "src/other.ts": "import { x } from './older';\n",
  });
  await repo.commit("rename", {
    "src/old.ts": null,
    "src/new.ts": text,
    "src/moved-on.ts": "import { value1 } from './new';\n",
  });
  const expected = {
    path: "src/old.ts",
    now: "src/new.ts",
    imported_by: ["src/left.ts", "test/left.test.ts"],
  };
  const note =
    "2 files still import src/old.ts, which is src/new.ts now: src/left.ts, test/left.test.ts.";
  expect(await broken(repo)).toEqual({ broken_imports: [expected], notes: [note] });
  await repo.write({ "src/left.ts": "import { value1 } from './new';\n" });
  expect((await broken(repo)).broken_imports).toEqual([
    { ...expected, imported_by: ["test/left.test.ts"] },
  ]);
});

test("a handoff asks for the imports to be mended", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "lib/a.js": text, "use.js": "require('./lib/a');\n" });
  await repo.commit("delete", { "lib/a.js": null });
  const { next_actions } = await withReports(repo, (context) => handoffReport(context));
  expect(next_actions).toContain(
    "Mend the imports: 1 file still imports lib/a.js, which is gone: use.js.",
  );
});

test("a rename that is not committed counts too", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "pkg/__init__.py": "", "pkg/old.py": python });
  await repo.commit("use", { "app.py": "from pkg.old import value1\n" });
  await repo.git("mv", "pkg/old.py", "pkg/new.py");
  expect((await broken(repo, "HEAD")).broken_imports).toEqual([
    { path: "pkg/old.py", now: "pkg/new.py", imported_by: ["app.py"] },
  ]);
});

test("so does a file that is gone", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "lib/index.js": text, "a.js": "require('./lib');\n" });
  await repo.commit("delete", { "lib/index.js": null });
  const { notes } = await broken(repo);
  expect(notes).toEqual(["1 file still imports lib/index.js, which is gone: a.js."]);
});

test("what resolves to something else under the same name is not broken", async () => {
  await using repo = await testRepository();
  await repo.commit("first", {
    "src/a.js": text,
    "src/b.ts": text.replaceAll("value", "b"),
    "use.ts": "import './src/a.js';\nimport './src/b';\n",
    "pkg/tool.py": python,
    "app.py": "from pkg.tool import value1\n",
  });
  await repo.commit("move", {
    "src/a.js": null,
    "src/a.ts": text,
    "src/b.ts": null,
    "src/b/index.ts": text.replaceAll("value", "b"),
    "pkg/tool.py": null,
    "pkg/tool/__init__.py": python,
  });
  expect((await broken(repo)).broken_imports).toEqual([]);
});

test("nothing is said on an index of another commit: who imports what may have changed", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "lib/a.js": text, "use.js": "require('./lib/a');\n" });
  const commit = await repo.commit("delete", { "lib/a.js": null });
  const index = { head: "a".repeat(40), branch: "main", indexed_at: "2026-10-01T00:00:00.000Z" };
  const left = (parts: ReportOptions) =>
    withReports(repo, async (context) => (await reviewReport(context)).broken_imports, parts);
  expect(await left({})).toHaveLength(1);
  const freshness = freshnessOf(index, { branch: "main", commit }, 0);
  expect(await left({ freshness })).toEqual([]);
});
