/** Gathers what the reports of one command need to know. */
import { join } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { readRegularFile } from "../platform/bounded-read.ts";
import type { SecretScanner } from "../secrets/scanner.ts";
import { decisionsOfFile } from "./decisions/of-file.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import { type RecordsReader, readRecords } from "./records/open.ts";
import { readTask, useTask } from "./records/tasks.ts";
import { createReportContext, type ReportContext, type ReportParts } from "./reports/context.ts";
import { freshnessOf } from "./reports/freshness.ts";
import { placeOf } from "./tasks.ts";
import { planVerification } from "./verification/plan.ts";
import { latestRuns, standingRuns } from "./verification/records.ts";
import { treeState } from "./verification/tree-state.ts";
import type { RepoSession } from "./with-repository.ts";

/** Of verification runs so many are looked at. */
const LATEST_RUNS = 20;
/** Of a new file more than this is not looked at for secrets. In bytes. */
const SCANNED_BYTES = 1024 * 1024;

/** Reads what a report may need once; what only some need is read when it is asked for. */
export async function gather(
  powers: RepoPowers,
  { notice, warn }: RepoObserver,
  { open, view }: RepoSession,
): Promise<ReportContext> {
  const { repository, working, state } = open;
  const { root } = repository;
  using records = await readRecords(repository, { clock: powers.clock, notice });
  const { head: commit, branch, changes } = working;
  return createReportContext({
    git: powers.git,
    repository,
    view,
    freshness: freshnessOf(state, { branch, commit }, changes.length),
    changes,
    task: await activeTask(powers, open, records, notice),
    verification: await verificationOf(root, working, records),
    plan: (targets, tests) => planVerification({ targets, tests, ...view.files }),
    relatedSessions: sessionsOf(powers, root, warn),
    decisionsFor: (path, limit) =>
      decisionsOfFile(powers.git, root, view.index, view.files.nameBefore(path), limit, view.now),
    ...scanning(root),
  });
}

/** A memory that cannot be asked is no reason to say nothing of the files. */
function sessionsOf(
  { relatedSessions }: RepoPowers,
  folder: string,
  warn: (line: string) => void,
): ReportParts["relatedSessions"] {
  return async (files, limit) => {
    try {
      return (await relatedSessions?.({ folder, files, limit })) ?? [];
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      warn(`related sessions are left out: ${error.message}`);
      return [];
    }
  };
}

async function activeTask(
  { clock }: RepoPowers,
  open: RepoSession["open"],
  records: RecordsReader,
  notice: (line: string) => void,
): Promise<ReportParts["task"]> {
  const place = placeOf(open);
  const { active, expired } = readTask(records, place, clock);
  if (expired !== undefined) {
    notice(`the task expired at ${expired.expiresAt} and counts no more: ${expired.goal}`);
  }
  if (active !== undefined) await useTask(records, place, clock);
  return active;
}

async function verificationOf(
  root: string,
  working: RepoSession["open"]["working"],
  records: RecordsReader,
): Promise<ReportParts["verification"]> {
  const state = await treeState(root, working);
  return {
    state,
    latest: latestRuns(records, LATEST_RUNS),
    standing: standingRuns(records, state),
  };
}

function scanning(root: string): Pick<ReportParts, "scanPatch" | "scanFile"> {
  let loading: Promise<SecretScanner> | undefined;
  const scanner = () => {
    loading ??= loadScanner();
    return loading;
  };
  return {
    scanPatch: async (patch) => (await scanner()).scanDiff(patch),
    async scanFile(path) {
      const content = await readRegularFile(join(root, path), SCANNED_BYTES);
      if (content === undefined) return undefined;
      return (await scanner()).scanText(content.toString("utf8"), path);
    },
  };
}

async function loadScanner(): Promise<SecretScanner> {
  return (await import("../secrets/scanner.ts")).createSecretScanner();
}
