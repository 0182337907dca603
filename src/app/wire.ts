/** The composition root: the one place that knows which implementation stands behind what. */
import { join, resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import type { Services } from "../operations/services.ts";
import { systemClock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { isFile } from "../platform/files.ts";
import { commonDirAround } from "../platform/git/common-dir.ts";
import { createGit } from "../platform/git/runner.ts";
import { createIds } from "../platform/ids.ts";
import { mayBeUnfinished } from "../workflow/edits/locks/ledger-folder.ts";
import { sessionPorts, verifications, workflowCalls } from "./session-ports.ts";
import {
  dataHome,
  locateStore,
  openSessionStore,
  openStore,
  openUserStore,
  ownGoDatabases,
  storePath,
} from "./store.ts";

/** Of decisions on record so many are ranked, the newest. */
const MOST_RECORDED = 200;

/** @param announce is told what the user should know about where data is kept. */
export function createServices(
  environment: Environment,
  announce: (line: string) => void,
): Services {
  const clock = systemClock();
  const home = dataHome(environment);
  const git = createGit(environment.variables);
  const ids = createIds(clock);
  const sessions = sessionPorts(environment, home, clock, announce);
  return {
    repo: async () => {
      const { createRepoService } = await import("../repo/service.ts");
      return createRepoService({
        environment,
        clock,
        ids,
        git,
        home,
        relatedSessions: sessions.related,
        sessionMemory: sessions.memory,
        recordedDecisions: async ({ folders, words }) => {
          const place = await locateStore(environment, home, undefined, announce);
          if (place.goDatabase === undefined && !(await isFile(place.path))) return [];
          const { decisionsBelow } = await import("../workflow/run/decision-search.ts");
          using store = await openUserStore(place, announce);
          return decisionsBelow(store, folders, words, MOST_RECORDED);
        },
      });
    },
    workflow: async () => {
      const [{ createWorkflowService }, { workerEntry }] = await Promise.all([
        import("../workflow/service.ts"),
        import("./assets.ts"),
      ]);
      return createWorkflowService({
        environment,
        clock,
        ids,
        git,
        home,
        runsDirectory: join(home, "workflow-runs"),
        openStore: async (path) =>
          openUserStore(await locateStore(environment, home, path, announce), announce),
        relatedSessions: sessions.related,
        scriptWorker: workerEntry("script"),
        schemaWorker: workerEntry("schema"),
        repoWorker: workerEntry("repo"),
        answerSchema: async (operation) =>
          (await import("../operations/schemas.ts")).outputSchema(operation),
        acceptanceScript: async () => (await import("./acceptance-script.ts")).ACCEPTANCE_SCRIPT,
      });
    },
    sessions: async () => {
      const [{ createSessionService }, { machineName }, { workerEntry }] = await Promise.all([
        import("../sessions/service.ts"),
        import("../platform/machine-name.ts"),
        import("./assets.ts"),
      ]);
      const sessionsPath = (path: string | undefined) =>
        resolve(environment.cwd, storePath(environment, home, path, announce, "sessions"));
      return createSessionService({
        environment,
        clock,
        git,
        workflowCalls: workflowCalls(environment, home),
        verifications: verifications(git, clock, home, announce),
        machine: machineName(),
        readerWorker: workerEntry("sessions"),
        notice: announce,
        goDatabases: async (store) =>
          store === join(home, "sessions.sqlite") ? ownGoDatabases(environment, home) : [],
        storePath: sessionsPath,
        openStore: (path) => openSessionStore(sessionsPath(path)),
      });
    },
  };
}

/**
 * Brings to an end what a process left half-way in the checkout around the directory that the user
 * stands in; costs a look at a few files where there is nothing.
 * @param announce is told what was done, or why it could not be.
 */
export async function recoverCheckout(
  environment: Environment,
  announce: (line: string) => void,
): Promise<void> {
  const commonDir = await unlessClosed(() => commonDirAround(environment.cwd));
  if (commonDir === undefined || !(await mayBeUnfinished(commonDir))) return;
  const [{ recoverEdits }, { RECOVERY }] = await Promise.all([
    import("../workflow/apply/recover-edits.ts"),
    import("../workflow/edits/locks/repo-lock.ts"),
  ]);
  const store = (path: string | undefined) =>
    openStore(storePath(environment, dataHome(environment), path, announce));
  const powers = { git: createGit(environment.variables), clock: systemClock(), openStore: store };
  try {
    await recoverEdits(powers, commonDir, RECOVERY, announce);
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    announce(`edits that were left half-way could not be brought to an end: ${error.message}`);
  }
}

/** A folder that cannot be looked into holds nothing to bring to an end; many commands need none of it. */
async function unlessClosed<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PalliumError) return undefined;
    throw error;
  }
}
