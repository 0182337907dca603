/** What apply and revert are done with, in the process of a test, for a run of another one. */
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { createIds } from "../../src/platform/ids.ts";
import type { EditContext } from "../../src/workflow/apply/edit-repos.ts";
import { RepoLocks } from "../../src/workflow/edits/locks/repo-locks.ts";
import type { EditHome } from "./edit-runs.ts";
import { GIT_VARIABLES } from "./repository.ts";
import { openStore } from "./store.ts";

export interface TestContext extends EditContext, AsyncDisposable {
  /** What was warned of. */
  readonly warnings: readonly string[];
}

/** @param beforeHold is awaited whenever a repository is about to be held, before it is. */
export async function editContext(
  edits: EditHome,
  beforeHold: () => Promise<unknown> = async () => {},
): Promise<TestContext> {
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
    answerSchema: async () => true,
    acceptanceScript: async () => "",
  };
  const locks = new RepoLocks("wf-test", clock);
  const hold = locks.hold.bind(locks);
  locks.hold = async (place) => {
    await beforeHold();
    return hold(place);
  };
  const database = await open();
  const warnings: string[] = [];
  return {
    powers,
    database,
    runId: "wf-test",
    locks,
    warn: (line) => warnings.push(line),
    warnings,
    async [Symbol.asyncDispose]() {
      await locks.close();
      database.close();
    },
  };
}
