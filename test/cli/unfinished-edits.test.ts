/** A process died while it changed a checkout: whichever command comes next brings that to an end. */
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createGit } from "../../src/platform/git/runner.ts";
import { storeFiles } from "../../src/workflow/edits/trees/store-files.ts";
import { changeTree } from "../../src/workflow/edits/trees/tree.ts";
import { openTreeStore } from "../../src/workflow/edits/trees/tree-store.ts";
import { cliHome } from "../support/cli.ts";
import { runChange } from "../support/edit-changes.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../support/repository.ts";

const NAMES = ["a", "b", "c"];
const texts = (repo: TestRepository) =>
  Promise.all(NAMES.map((name) => Bun.file(repo.join(name)).text()));
const isMixed = (found: readonly string[]) => new Set(found).size > 1;

/** Leaves a checkout in which one process changed some of three files from `old` to `new`. */
async function halfChanged(repo: TestRepository, objects: string): Promise<void> {
  await repo.commit("base", Object.fromEntries(NAMES.map((name) => [name, "old"])));
  const store = await openTreeStore(createGit(GIT_VARIABLES), repo.join(".git"), objects);
  const from = (await repo.git("rev-parse", "HEAD^{tree}")).trim();
  await repo.write(Object.fromEntries(NAMES.map((name) => [name, "new"])));
  const entries = await storeFiles(store, repo.path, NAMES);
  const to = await changeTree(
    store,
    from,
    [...entries].map(([path, after]) => ({ path, after })),
  );
  const work = { runId: "wf-dead", root: repo.path, objects, told: join(objects, "told") };
  for (let at = 1; at === 1 || !isMixed(await texts(repo)); at += 1) {
    await repo.git("checkout", "-q", ".");
    await repo.write({ ".git/pallium": null });
    await runChange({ ...work, apply: [from, to], fault: { at, kind: "kill" } });
  }
}

test.each([
  ["changed-now", "."],
  ["workflow list", "."],
  ["doctor", "sub"],
])("pallium %s finishes it, also from below, and says so", async (command, folder) => {
  await using home = await cliHome();
  await using repo = await testRepository();
  await mkdir(repo.join("sub"));
  const objects = join(home.directory, "objects");
  await halfChanged(repo, objects);
  const run = () => home.pallium(command.split(" "), { cwd: repo.join(folder) });
  expect((await run()).stderr).toContain(
    `finished applying the edits of run wf-dead in ${repo.path}, which was interrupted: 3 files`,
  );
  expect(await texts(repo)).toEqual(["new", "new", "new"]);
  expect((await run()).stderr).not.toContain("wf-dead");
});
