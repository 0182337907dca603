/** What becomes of a run's edits while another process does something about them too. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { createIds } from "../../../../src/platform/ids.ts";
import { applyEdits } from "../../../../src/workflow/apply/apply-edits.ts";
import type { EditContext } from "../../../../src/workflow/apply/edit-repos.ts";
import { readRepoRecords } from "../../../../src/workflow/apply/records.ts";
import { revertEdits } from "../../../../src/workflow/apply/revert-edits.ts";
import { RepoLocks } from "../../../../src/workflow/edits/locks/repo-locks.ts";
import { type EditHome, editHome } from "../../../support/edit-runs.ts";
import { GIT_VARIABLES } from "../../../support/repository.ts";
import { openStore } from "../../../support/store.ts";

const SOURCE = `return await agent("x", { mode: "edit", provider: "p" });`;

/** Does `work`, another process running `command` right before the repository is held for it. */
async function whileOther<T>(
  edits: EditHome,
  command: "apply" | "revert",
  work: (context: EditContext) => Promise<T>,
): Promise<readonly [result: T, applied: readonly number[]]> {
  const { directory, env } = edits.home;
  const home = join(directory, ".pallium");
  const open = (path = join(home, "pallium.sqlite")) => openStore(path);
  const clock = systemClock();
  const environment = {
    argv: [],
    cwd: directory,
    variables: env,
    home: directory,
    self: [],
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
  };
  const locks = new RepoLocks("wf-test", clock);
  const hold = locks.hold.bind(locks);
  locks.hold = async (place) => {
    await edits.json("workflow", command, "wf-test");
    return hold(place);
  };
  using database = await open();
  const powers = {
    environment,
    clock,
    ids: createIds(clock),
    git: createGit(GIT_VARIABLES),
    home,
    runsDirectory: join(home, "workflow-runs"),
    openStore: open,
    scriptWorker: "",
    schemaWorker: "",
    repoWorker: "",
  };
  try {
    const result = await work({ powers, database, runId: "wf-test", locks, warn: () => {} });
    const records = readRepoRecords(database, "wf-test");
    return [result, records.map(({ applications }) => applications.length)];
  } finally {
    await locks.close();
  }
}

test("what another process reverted meanwhile is not reverted again", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, { p: "echo four >> a.txt; echo ok" });
  expect(await whileOther(edits, "revert", revertEdits)).toEqual([[], [0]]);
  expect(await edits.status()).toBe("");
});

test("what another process applied meanwhile is not applied again", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, { p: "echo four >> a.txt; echo ok" });
  await edits.json("workflow", "revert", "wf-test");
  const apply = (context: EditContext) => applyEdits(context, true);
  expect(await whileOther(edits, "apply", apply)).toEqual([[], [1]]);
  expect(await edits.status()).toBe(" M a.txt");
});
