import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { createIds } from "../../../../src/platform/ids.ts";
import { openEditRepo } from "../../../../src/workflow/apply/edit-repos.ts";
import { RepoLocks } from "../../../../src/workflow/edits/locks/repo-locks.ts";
import { GIT_VARIABLES, testRepository } from "../../../support/repository.ts";
import { addRun, openStore } from "../../../support/store.ts";
import { tempDir } from "../../../support/temp.ts";

test("a run that is collected between the first look and the lock is left alone", async () => {
  await using repo = await testRepository();
  await using folder = await tempDir();
  const commit = await repo.commit("base", { "a.txt": "a\n" });
  using database = await openStore(folder.join("store.sqlite"));
  await addRun(database, "wf-1", "completed");
  await database.write((tx) => tx.run("UPDATE workflow_runs SET collected_at = 'now'"));
  const clock = systemClock();
  const locks = new RepoLocks("wf-1", clock);
  const powers = {
    environment: {
      argv: [],
      variables: {},
      cwd: "/",
      home: "",
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      self: [],
    },
    clock,
    ids: createIds(clock),
    git: createGit(GIT_VARIABLES),
    home: folder.path,
    runsDirectory: folder.path,
    openStore: async () => database,
    scriptWorker: "",
    schemaWorker: "",
    repoWorker: "",
    answerSchema: async () => true,
    acceptanceScript: async () => "",
  };
  const base = { root: repo.path, commit, tree: "", start: "" };
  const staged = { root: repo.path, tree: "", calls: [] };
  try {
    const opened = openEditRepo(
      { powers, database, runId: "wf-1", locks, warn: () => {} },
      { base, staged, applications: [] },
    );
    await expect(opened).rejects.toMatchObject({ code: "run_collected" });
  } finally {
    await locks.close();
  }
});
