/**
 * The program with a fault in its store: `faulty-runner '{"at":3,"fault":"before"}' workflow …`.
 * The wiring is that of `app/wire`, but for the store it opens.
 */
import { existsSync } from "node:fs";
import { workerEntry } from "../../src/app/assets.ts";
import { loadBadges } from "../../src/app/badges.ts";
import { readEnvironment } from "../../src/app/env.ts";
import { processOutput } from "../../src/app/output.ts";
import { processSignals } from "../../src/app/signals.ts";
import { versionInfo } from "../../src/app/version.ts";
import { dispatch } from "../../src/cli/dispatch.ts";
import { createInterrupts } from "../../src/cli/interrupts.ts";
import { createRegistry } from "../../src/cli/registry.ts";
import { PalliumError } from "../../src/lib/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { createIds } from "../../src/platform/ids.ts";
import { type Database, openDatabase } from "../../src/platform/sqlite/database.ts";
import { createRepoService } from "../../src/repo/service.ts";
import { WORKFLOW_MIGRATIONS } from "../../src/workflow/run/schema.ts";
import { createWorkflowService } from "../../src/workflow/service.ts";

/** Ends the process before or after a transaction, has no space from then on, or cannot look for controls. */
export type Fault = "before" | "after" | "full" | "blind";

interface FaultPlan {
  /** Number of the write, from 1. */
  readonly at?: number;
  /** Instead of a number: a file from whose making on the fault is there. */
  readonly since?: string;
  readonly fault: Fault;
}

function withFault(database: Database, { at = 0, since, fault }: FaultPlan): Database {
  let writes = 0;
  const isAtFault = () => (since === undefined ? writes >= at : existsSync(since));
  return {
    ...database,
    write: async (work) => {
      writes += 1;
      if (fault === "full" && isAtFault()) {
        throw new PalliumError("disk_full", "no space left to write the database");
      }
      if (fault === "before" && writes === at) process.kill(process.pid, "SIGKILL");
      const result = await database.write(work);
      if (fault === "after" && writes === at) process.kill(process.pid, "SIGKILL");
      return result;
    },
    dataVersion: () => {
      if (fault === "blind" && isAtFault()) throw new PalliumError("io_failed", "cannot look");
      return database.dataVersion();
    },
  };
}

const [plan = "", ...argv] = process.argv.slice(2);
const faultPlan = JSON.parse(plan) as FaultPlan;
const environment = { ...readEnvironment(), argv };
const output = processOutput();
const home = `${environment.home}/.pallium`;
const clock = systemClock();
const ids = createIds(clock);
const git = createGit(environment.variables);
const program = {
  environment,
  version: versionInfo(environment.self),
  output,
  interrupts: createInterrupts(processSignals()),
  loadBadges,
  createServices: async () => ({
    repo: async () => createRepoService({ environment, clock, ids, git, home }),
    workflow: async () =>
      createWorkflowService({
        environment,
        clock,
        ids,
        git,
        home,
        runsDirectory: `${home}/workflow-runs`,
        openStore: async () =>
          withFault(
            await openDatabase({
              path: `${home}/pallium.sqlite`,
              migrations: WORKFLOW_MIGRATIONS,
            }),
            faultPlan,
          ),
        scriptWorker: workerEntry("script"),
        schemaWorker: workerEntry("schema"),
        repoWorker: workerEntry("repo"),
        answerSchema: async () => true,
        acceptanceScript: async () => "",
      }),
    sessions: async () => {
      throw new Error("no session is asked for here");
    },
  }),
  outputSchema: async () => ({}),
};
const exitCode = await dispatch(program, createRegistry(program));
await output.flush();
process.exit(exitCode);
