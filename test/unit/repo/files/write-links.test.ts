/** The links of an index that was updated are those of one that is built at once. */
import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import type { Artifact } from "../../../../src/platform/sqlite/artifact.ts";
import { openIndex } from "../../../../src/repo/history/present-index.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { indexRepository } from "../../../../src/repo/index-repository.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);
const powers = { git, clock: systemClock() };

type Files = Readonly<Record<string, string | null>>;

async function indexed(repo: TestRepository, full: boolean): Promise<Artifact> {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  await indexRepository(powers, repository, { full });
  const index = await openIndex(repository);
  if (index === undefined) throw new Error("no index");
  return index;
}

async function links(repo: TestRepository, full: boolean): Promise<readonly string[]> {
  using index = await indexed(repo, full);
  return index
    .all<{ link: string }>(
      `SELECT a.path || ' ' || kind || ' ' || b.path AS link FROM links
       JOIN files AS a ON a.id = from_id JOIN files AS b ON b.id = to_id ORDER BY link`,
    )
    .map(({ link }) => link);
}

async function filesOf(repo: TestRepository, full: boolean): Promise<readonly unknown[]> {
  using index = await indexed(repo, full);
  return [
    ...index.all("SELECT path, blob, lines, risk, less_lines FROM files ORDER BY path"),
    ...index.all("SELECT blob, read_as FROM scans ORDER BY blob, read_as"),
  ];
}

const WEB: Files = {
  "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./web/*"]}}}',
  "web/use.ts": 'import { one } from "./barrel";\nimport { late } from "./late";\none(late);\n',
  "web/barrel.ts": 'export { one } from "./one";\n',
  "web/one.ts": "export const one = 1;\n",
  "web/two.ts": "export const one = 2;\n",
  "web/alias.ts": 'import { one } from "@/one";\n',
};
/** Long enough for git to see where it went. */
const LONG = `export const one = 1;\n${"// and so on\n".repeat(20)}`;
const GO: Files = {
  "go.mod": "module example.com/x\n",
  "a/a.go": 'package a\n\nimport "example.com/x/b"\n\nfunc A() { b.Moved() }\n',
  "b/first.go": "package b\n\nfunc Moved() {}\n",
  "b/second.go": "package b\n\nfunc Other() {}\n",
};

const C: Files = {
  "main.c": '#include "util/list.h"\n#include "table.def"\n#include <late.h>\n',
  "util/list.h": "int list;\n",
  "util/list.c": '#include "list.h"\n',
  "other/main.c": '#include "list.h"\n#include "api.h"\n',
};
const RUST: Files = {
  "src/lib.rs": "mod part;\nmod use_it;\n",
  "src/part.rs": "pub fn go() {}\n",
  "src/there.rs": "pub fn go() {}\n",
  "src/use_it.rs": "use crate::part::go;\n",
};
const SHARP: Files = {
  "p/p.csproj": "<Project/>\n",
  "p/usings.cs": "using Shop;\n",
  "p/cart.cs": "namespace Shop { public class Cart {} }\n",
  "p/use.cs": "namespace App { class Use { Cart cart; } }\n",
  "p/same.cs": "namespace Shop { class Same { Cart cart; } }\n",
};
const PYTHON: Files = {
  "shop/__init__.py": "from .cart import Cart\n",
  "shop/cart.py": "class Cart: pass\n",
  "shop/bag.py": "class Cart: pass\n",
  "use.py": "from shop import Cart\n",
};

test.each<{ readonly what: string; readonly before: Files; readonly after: Files }>([
  {
    what: "a file comes that was imported before",
    before: WEB,
    after: { "web/late.ts": "export const late = 1;\n" },
  },
  { what: "an imported file goes", before: WEB, after: { "web/one.ts": null } },
  {
    what: "a file is renamed",
    before: WEB,
    after: { "web/one.ts": null, "web/uno.ts": "export const one = 1;\n" },
  },
  {
    what: "a module hands on another file's name",
    before: WEB,
    after: { "web/barrel.ts": 'export { one } from "./two";\n' },
  },
  {
    what: "the aliases change",
    before: WEB,
    after: { "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./other/*"]}}}' },
  },
  {
    what: "only a comment changes",
    before: WEB,
    after: { "web/one.ts": "// why\nexport const one = 1;\n" },
  },
  {
    what: "a declaration moves to another file of its package",
    before: GO,
    after: {
      "b/first.go": "package b\n\nfunc Other() {}\n",
      "b/second.go": "package b\n\nfunc Moved() {}\n",
    },
  },
  {
    what: "a header comes that was included before, beside one of its name",
    before: C,
    after: { "other/list.h": "int other;\n" },
  },
  {
    what: "the only header of a name is one of two",
    before: { ...C, "deep/use.c": '#include "list.h"\n' },
    after: { "third/list.h": "int third;\n" },
  },
  { what: "a source that includes others goes", before: C, after: { "util/list.c": null } },
  { what: "a header goes", before: C, after: { "util/list.h": null } },
  {
    what: "a file of no language comes that is included",
    before: C,
    after: { "table.def": "ENTRY(1)\n" },
  },
  {
    what: "a folder becomes one that headers are looked for in",
    before: { ...C, "include/late.h/x.txt": "x\n", "include/api.h": "int api;\n", "a/api.h": "\n" },
    after: { "include/sub/include/more.h": "int more;\n" },
  },
  {
    what: "a file comes into a folder that has a header by then",
    before: { ...C, "lib/api.def": "x\n", "lib/late.def": "y\n", "x.c": "#include <api.def>\n" },
    after: { "lib/any.c": "int any;\n" },
  },
  {
    what: "a source includes something else",
    before: C,
    after: { "util/list.c": '#include "../main.c"\n' },
  },
  {
    what: "a script takes a file of another language",
    before: { ...WEB, "web/load.ts": 'new URL("./code.rs", import.meta.url);\n' },
    after: { "web/code.rs": "fn code() {}\n" },
  },
  {
    what: "a module hands on what it imports",
    before: {
      ...WEB,
      "web/barrel.ts": 'import { one } from "./one";\nexport { one };\n',
    },
    after: { "web/barrel.ts": 'import { one } from "./two";\nexport { one };\n' },
  },
  {
    what: "a package hands on another file's name",
    before: PYTHON,
    after: { "shop/__init__.py": "from .bag import Cart\n" },
  },
  {
    what: "a module of a package is edited",
    before: PYTHON,
    after: { "shop/cart.py": "import shop.bag\n\nclass Cart: pass\n" },
  },
  {
    what: "a module lies elsewhere",
    before: { "Cargo.toml": '[package]\nname = "x"\n', ...RUST },
    after: { "src/lib.rs": '#[path = "there.rs"]\nmod part;\n' },
  },
  {
    what: "a project comes between files that see a namespace everywhere",
    before: {
      ...SHARP,
      "p/usings.cs": "global using Shop;\n",
      "p/sub/use.cs": SHARP["p/use.cs"] ?? "",
    },
    after: { "p/sub/sub.csproj": "<Project/>\n" },
  },
  {
    what: "the project between files and their namespaces goes",
    before: {
      ...SHARP,
      "p/usings.cs": "global using Shop;\n",
      "p/sub/sub.csproj": "<Project/>\n",
      "p/sub/use.cs": SHARP["p/use.cs"] ?? "",
    },
    after: { "p/sub/sub.csproj": null },
  },
  {
    what: "a folder comes that is a package of Python",
    before: { "near/use.py": "import data.more\n", "data/more.py": "x = 1\n" },
    after: { "near/data/readme.md": "data\n" },
  },
  {
    what: "a folder goes that is a package of Python",
    before: {
      ...PYTHON,
      "near/use.py": "import data.more\n",
      "near/data/readme.md": "data\n",
      "data/more.py": "x = 1\n",
    },
    after: { "near/data/readme.md": null },
  },
  {
    what: "a folder comes that is a module of Rust",
    before: {
      "Cargo.toml": '[package]\nname = "x"\n',
      ...RUST,
      "src/lib.rs": 'mod late { #[path = "there.rs"] pub mod part; }\nmod use_it;\n',
      "src/use_it.rs": "use crate::late::part::go;\n",
    },
    after: { "src/late/readme.md": "late\n" },
  },
  {
    what: "a project sees a namespace everywhere",
    before: SHARP,
    after: { "p/usings.cs": "global using Shop;\n" },
  },
])("when $what", async ({ before, after }) => {
  await using repo = await testRepository();
  await repo.commit("before", before);
  expect((await links(repo, true)).length).toBeGreaterThan(0);
  await repo.commit("after", after);
  const updated = await links(repo, false);
  expect(updated).toEqual(await links(repo, true));
});

test.each<{ readonly what: string; readonly commits: readonly Files[] }>([
  {
    what: "moved away, deleted there, and came back as it was",
    commits: [
      { "web/one.ts": null, "web/uno.ts": LONG },
      { "web/uno.ts": null },
      { "web/one.ts": LONG },
    ],
  },
  {
    what: "took the name of another and gave it back",
    commits: [
      { "web/two.ts": null },
      { "web/one.ts": null, "web/two.ts": LONG },
      { "web/two.ts": "export const one = 2;\n" },
      { "web/one.ts": LONG },
    ],
  },
])("a file that $what is where it was", async ({ commits }) => {
  await using repo = await testRepository();
  await repo.commit("before", { ...WEB, "web/one.ts": LONG });
  const before = await links(repo, true);
  for (const [at, files] of commits.entries()) await repo.commit(`step ${at}`, files);
  const updated = await filesOf(repo, false);
  expect(await links(repo, false)).toEqual(before);
  expect(updated).toEqual(await filesOf(repo, true));
  await repo.git("switch", "-q", "--detach", "HEAD~1");
  const back = await filesOf(repo, false);
  expect(back).toEqual(await filesOf(repo, true));
});

test("links follow a name whose file was moved away and another came to it", async () => {
  await using repo = await testRepository();
  await repo.commit("before", { "use.c": '#include "one.h"\n', "one.h": "int one;\n".repeat(20) });
  await links(repo, true);
  await repo.commit("move", { "one.h": null, "two.h": "int one;\n".repeat(20) });
  await repo.commit("anew", { "one.h": "int other;\n" });
  expect(await links(repo, false)).toEqual(["use.c include one.h"]);
});

test("a file that only a merge had leaves nothing behind", async () => {
  await using repo = await testRepository();
  await repo.commit("before", WEB);
  await repo.git("switch", "-q", "-c", "side");
  await repo.commit("side");
  await repo.git("switch", "-q", "main");
  await repo.git("merge", "-q", "--no-ff", "--no-commit", "side");
  await repo.commit("merge", { "only-here.ts": "export {};\n" });
  await filesOf(repo, true);
  await repo.git("reset", "-q", "--hard", "HEAD~1");
  const updated = await filesOf(repo, false);
  expect(updated).toEqual(await filesOf(repo, true));
});

test.each<{ readonly what: string; readonly twin: string; readonly file: string }>([
  { what: "a file of no language", twin: "web/use.txt", file: "web/use.ts" },
  { what: "a file of another language", twin: "web/use.py", file: "web/use.ts" },
  { what: "what is no build file", twin: "plain.json", file: "tsconfig.json" },
])("equal content in $what takes nothing away", async ({ twin, file }) => {
  await using alone = await testRepository();
  await alone.commit("all", WEB);
  const wanted = await links(alone, true);
  const twins = { ...WEB, [twin]: WEB[file] ?? null };
  await using repo = await testRepository();
  await repo.commit("all", twins);
  expect(await links(repo, true)).toEqual(wanted);
  await repo.commit("without the file", { [file]: null });
  await links(repo, true);
  await repo.commit("with it again", { [file]: WEB[file] ?? null });
  expect(await links(repo, false)).toEqual(wanted);
  await repo.commit("without the twin", { [twin]: null });
  const updated = await filesOf(repo, false);
  expect(await links(repo, false)).toEqual(wanted);
  expect(updated).toEqual(await filesOf(repo, true));
});
