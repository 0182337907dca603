/** The links of an index that was updated are those of one that is built at once. */
import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { openIndex } from "../../../../src/repo/history/index-history.ts";
import { findRepository } from "../../../../src/repo/identity.ts";
import { indexRepository } from "../../../../src/repo/index-repository.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);
const powers = { git, clock: systemClock() };

type Files = Readonly<Record<string, string | null>>;

async function links(repo: TestRepository, full: boolean): Promise<readonly string[]> {
  const repository = await findRepository(git, repo.path, repo.join("home"));
  await indexRepository(powers, repository, { full });
  const index = await openIndex(repository);
  if (index === undefined) throw new Error("no index");
  using _ = index;
  return index
    .all<{ link: string }>(
      `SELECT a.path || ' ' || kind || ' ' || b.path AS link FROM links
       JOIN files AS a ON a.id = from_id JOIN files AS b ON b.id = to_id ORDER BY link`,
    )
    .map(({ link }) => link);
}

const WEB: Files = {
  "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./web/*"]}}}',
  "web/use.ts": 'import { one } from "./barrel";\nimport { late } from "./late";\none(late);\n',
  "web/barrel.ts": 'export { one } from "./one";\n',
  "web/one.ts": "export const one = 1;\n",
  "web/two.ts": "export const one = 2;\n",
  "web/alias.ts": 'import { one } from "@/one";\n',
};
const GO: Files = {
  "go.mod": "module example.com/x\n",
  "a/a.go": 'package a\n\nimport "example.com/x/b"\n\nfunc A() { b.Moved() }\n',
  "b/first.go": "package b\n\nfunc Moved() {}\n",
  "b/second.go": "package b\n\nfunc Other() {}\n",
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
])("when $what", async ({ before, after }) => {
  await using repo = await testRepository();
  await repo.commit("before", before);
  expect((await links(repo, true)).length).toBeGreaterThan(0);
  await repo.commit("after", after);
  const updated = await links(repo, false);
  expect(updated).toEqual(await links(repo, true));
});
