/** Reports on a real repository of a test's own: real git, index, records and secret scanner. */
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { createIds } from "../../src/platform/ids.ts";
import { gather } from "../../src/repo/gather.ts";
import { findRepository } from "../../src/repo/identity.ts";
import { indexRepository } from "../../src/repo/index-repository.ts";
import type { RepoObserver, RepoPowers } from "../../src/repo/powers.ts";
import {
  createReportContext,
  type ReportContext,
  type ReportParts,
} from "../../src/repo/reports/context.ts";
import type { VerificationRun } from "../../src/repo/verification/records.ts";
import { withRepository } from "../../src/repo/with-repository.ts";
import { GIT_VARIABLES, type TestRepository } from "./repository.ts";
import { tempDir } from "./temp.ts";

export interface ReportOptions extends Partial<ReportParts> {
  /** Whether to index first; true without. */
  readonly isIndexed?: boolean;
  /** Where the user stands; the top without. */
  readonly cwd?: string;
}

/** Says nothing, and is not interrupted. */
export const SILENT: RepoObserver = {
  notice: () => {},
  detail: () => {},
  warn: () => {},
  onInterrupt: () => () => {},
};

/** Brings the index up to date and gathers what the reports of one command need. */
export async function withReports<T>(
  repo: TestRepository,
  work: (context: ReportContext) => T | Promise<T>,
  { isIndexed = true, cwd = repo.path, ...parts }: ReportOptions = {},
): Promise<T> {
  await using home = await tempDir();
  const powers = repoPowers(cwd, home.path);
  if (isIndexed) await indexRepository(powers, await findRepository(powers.git, cwd, home.path));
  return withRepository(
    powers,
    { repo: cwd },
    SILENT,
    async (session) => {
      const context = await gather(powers, SILENT, session);
      return work(createReportContext({ ...context, ...parts }));
    },
    { needsIndex: isIndexed },
  );
}

/** The powers of a command. @param home of pallium. */
export function repoPowers(cwd: string, home: string): RepoPowers {
  const clock = systemClock();
  return {
    git: createGit(GIT_VARIABLES),
    clock,
    ids: createIds(clock),
    home,
    environment: {
      argv: [],
      variables: GIT_VARIABLES,
      cwd,
      home,
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      self: ["pallium"],
    },
  };
}

/** A verification run on record; it passed unless told otherwise. */
export function verificationRun(run: Partial<VerificationRun> = {}): VerificationRun {
  return {
    id: 1,
    tier: "fast",
    command: "go test .",
    argv: ["go", "test", "."],
    cwd: "",
    exit_code: 0,
    duration_ms: 5,
    changed_files: ["main.go"],
    ran_at: "2026-12-02T12:00:00.000Z",
    head: null,
    tree_hash: null,
    dirty: null,
    branch: "main",
    worktree: null,
    output: "",
    interrupted: false,
    timed_out: false,
    ...run,
  };
}
