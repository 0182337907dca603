/** The composition root: the one place that knows which implementation stands behind what. */
import { join, resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import type { Services } from "../operations/services.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { createGit } from "../platform/git/runner.ts";
import { createIds } from "../platform/ids.ts";

/** @param announce is told what the user should know about where data is kept. */
export function createServices(
  environment: Environment,
  announce: (line: string) => void,
): Services {
  const clock = systemClock();
  const home = dataHome(environment);
  const git = createGit(environment.variables);
  const ids = createIds(clock);
  return {
    repo: async () => {
      const { createRepoService } = await import("../repo/service.ts");
      return createRepoService({ environment, clock, ids, git, home });
    },
    workflow: async () => {
      const [
        { createWorkflowService },
        { WORKFLOW_MIGRATIONS },
        { openDatabase },
        { workerEntry },
      ] = await Promise.all([
        import("../workflow/service.ts"),
        import("../workflow/run/schema.ts"),
        import("../platform/sqlite/database.ts"),
        import("./assets.ts"),
      ]);
      return createWorkflowService({
        environment,
        clock,
        ids,
        git,
        home,
        runsDirectory: join(home, "workflow-runs"),
        openStore: (path) =>
          openDatabase({
            path: storePath(environment, home, path, announce),
            migrations: WORKFLOW_MIGRATIONS,
            synchronous: "FULL",
          }),
        scriptWorker: workerEntry("script"),
        schemaWorker: workerEntry("schema"),
        repoWorker: workerEntry("repo"),
      });
    },
  };
}

/** `PALLIUM_HOME`, else `~/.pallium`. */
function dataHome({ cwd, variables, home }: Environment): string {
  if (variables.PALLIUM_HOME) return resolve(cwd, variables.PALLIUM_HOME);
  if (home !== "") return resolve(cwd, home, ".pallium");
  throw new PalliumError("no_home", "there is no home directory to keep data in", {
    hints: ["set HOME, or PALLIUM_HOME to the folder that pallium may use"],
  });
}

/** `--db`, else `PALLIUM_TEST_DB`, which always says that it is in force, else the user's store. */
function storePath(
  { variables }: Environment,
  home: string,
  asked: string | undefined,
  announce: (line: string) => void,
): string {
  if (asked !== undefined && asked !== "") return asked;
  const test = variables.PALLIUM_TEST_DB;
  if (test !== undefined && test !== "") {
    announce(`PALLIUM_TEST_DB is set: using ${test}`);
    return test;
  }
  return join(home, "pallium.sqlite");
}
