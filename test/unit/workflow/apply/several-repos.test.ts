/** A run that edited two repositories, one of which cannot be changed: then neither is. */
import { expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import { applyEdits } from "../../../../src/workflow/apply/apply-edits.ts";
import { readRepoRecords } from "../../../../src/workflow/apply/records.ts";
import { revertEdits } from "../../../../src/workflow/apply/revert-edits.ts";
import { editContext, type TestContext } from "../../../support/edit-context.ts";
import { type EditHome, editHome } from "../../../support/edit-runs.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";

const SOURCE = `for (const repo of args) await agent(repo, { mode: "edit", provider: "p", repo });`;

/** Repositories are held twice: both before anything is changed, then each before it is. */
const LAST_HOLD = 4;

interface Two extends AsyncDisposable {
  readonly edits: EditHome;
  /** In the order in which they are changed. */
  readonly repos: readonly [first: TestRepository, second: TestRepository];
  status(): Promise<readonly string[]>;
}

async function editedTwo(): Promise<Two> {
  const edits = await editHome({ "a.txt": "a\n" });
  const other = await testRepository();
  await other.commit("base", { "a.txt": "a\n" });
  const paths = [edits.repo.path, other.path];
  const flags = ["--args", JSON.stringify(paths)];
  await edits.script(SOURCE, { p: "echo b >> a.txt; echo ok" }, { flags });
  const repos = edits.repo.path < other.path ? [edits.repo, other] : [other, edits.repo];
  return {
    edits,
    repos: repos as [TestRepository, TestRepository],
    status: () => Promise.all(repos.map((repo) => repo.git("status", "--short"))),
    async [Symbol.asyncDispose]() {
      await edits[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

/** Somebody writes into a repository after all was planned. */
async function racedContext({ edits, repos: [, second] }: Two): Promise<TestContext> {
  let holds = 0;
  return editContext(edits, async () => {
    holds += 1;
    if (holds === LAST_HOLD) await second.write({ "a.txt": "other\n" });
  });
}

const applications = ({ database }: TestContext) =>
  readRepoRecords(database, "wf-test").map((record) => record.applications.length);

const states = async ({ edits }: Two) => {
  const { agents } = await edits.json<{ agents: { apply_state: string }[] }>(
    "workflow",
    "inspect",
    "wf-test",
  );
  return agents.map(({ apply_state }) => apply_state);
};

const DIRTY = [" M a.txt\n", " M a.txt\n"];

test("what was applied to the first is taken back, and both are applied later", async () => {
  await using two = await editedTwo();
  await two.edits.json("workflow", "revert", "wf-test");
  await using context = await racedContext(two);
  await expect(applyEdits(context, true)).rejects.toMatchObject({ code: "edits_raced" });
  expect(await two.status()).toEqual(["", " M a.txt\n"]);
  expect(applications(context)).toEqual([0, 0]);
  expect(await states(two)).toEqual(["reverted", "reverted"]);
  await two.repos[1].git("checkout", "-q", ".");
  expect(await applyEdits(context, true)).toHaveLength(2);
  expect(await two.status()).toEqual(DIRTY);
});

test("what was reverted in the first is applied again, and both are reverted later", async () => {
  await using two = await editedTwo();
  await using context = await racedContext(two);
  await expect(revertEdits(context)).rejects.toMatchObject({ code: "edits_raced" });
  expect(await two.status()).toEqual(DIRTY);
  expect(applications(context)).toEqual([1, 1]);
  expect(await states(two)).toEqual(["applied", "applied"]);
  await two.repos[1].write({ "a.txt": "a\nb\n" });
  expect(await revertEdits(context)).toHaveLength(2);
  expect(await two.status()).toEqual(["", ""]);
});

/** The store takes what is told of the first repository, and no more. */
async function applyWithFullStore({ edits }: Two): Promise<void> {
  await using context = await editContext(edits);
  let writes = 0;
  const write: TestContext["database"]["write"] = async (work) => {
    writes += 1;
    if (writes === 2) throw new PalliumError("disk_full", "full");
    return context.database.write(work);
  };
  const full = { ...context, database: { ...context.database, write } };
  await expect(applyEdits(full, true)).rejects.toMatchObject({ code: "disk_full" });
}

test("a second of which all files are changed, and only the run could not be told, takes nothing back", async () => {
  await using two = await editedTwo();
  await two.edits.json("workflow", "revert", "wf-test");
  await applyWithFullStore(two);
  expect(await two.status()).toEqual(DIRTY);
  await using context = await editContext(two.edits);
  expect(applications(context)).toEqual([1, 0]);
  expect(await applyEdits(context, true)).toEqual([]);
  expect(applications(context)).toEqual([1, 1]);
  expect(context.warnings).toEqual([expect.stringContaining("finished applying the edits of run")]);
});
