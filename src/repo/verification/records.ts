/** Verification runs on record: one row for each command that was run. */
import { parseJson } from "../../lib/json.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";

/** One command as it was run. What the Go program did not know is `null`. */
export interface VerificationRun {
  readonly id: number;
  readonly tier: string;
  /** As it is shown. */
  readonly command: string;
  readonly argv: readonly string[];
  /** Absolute top of the working tree, at which `command` can be pasted; not the folder that `argv` ran in. */
  readonly cwd: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly changed_files: readonly string[];
  /** When it ended, UTC. */
  readonly ran_at: string;
  /** Commit that was checked out. */
  readonly head: string | null;
  /** Hash of the files as they were, committed or not. */
  readonly tree_hash: string | null;
  readonly dirty: boolean | null;
  readonly branch: string | null;
  /** Absolute root of the working tree. */
  readonly worktree: string | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly interrupted: boolean;
  readonly timed_out: boolean;
}

export type NewVerificationRun = Omit<VerificationRun, "id">;

/** The state of the files that a question is about. */
export interface TreeState {
  readonly head?: string;
  readonly tree?: string;
}

/** Older runs make room for new ones. */
export const KEPT_RUNS = 1000;

const COLUMNS =
  "tier, command, argv, cwd, exit_code, duration_ms, changed_files, ran_at, head, tree_hash, dirty, branch, worktree, output, interrupted, timed_out";

interface Row extends Omit<NewVerificationRun, "argv" | "changed_files" | "dirty"> {
  readonly id: number;
  readonly argv: string;
  readonly changed_files: string;
  readonly dirty: number | null;
}

/** Records one command. @returns its id. @throws PalliumError those of `Database`. */
export function recordRun(database: Database, run: NewVerificationRun): Promise<number> {
  return database.write((tx) => {
    const row = tx.get<{ id: number }>(
      `INSERT INTO verification_runs (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      run.tier,
      run.command,
      JSON.stringify(run.argv),
      run.cwd,
      run.exit_code,
      run.duration_ms,
      JSON.stringify(run.changed_files),
      run.ran_at,
      run.head,
      run.tree_hash,
      run.dirty === null ? null : Number(run.dirty),
      run.branch,
      run.worktree,
      run.output,
      Number(run.interrupted),
      Number(run.timed_out),
    );
    tx.run(
      "DELETE FROM verification_runs WHERE id NOT IN (SELECT id FROM verification_runs ORDER BY ran_at DESC, id DESC LIMIT ?)",
      KEPT_RUNS,
    );
    return row?.id ?? 0;
  });
}

/**
 * The newest runs first; with a state only those of the same files (`tree`), of the same commit
 * (`head`), or of both.
 */
export function latestRuns(
  reader: Reader,
  limit: number,
  { head, tree }: TreeState = {},
): readonly VerificationRun[] {
  return reader
    .all<Row>(
      `SELECT id, ${COLUMNS} FROM verification_runs
       WHERE (?1 IS NULL OR head = ?1) AND (?2 IS NULL OR tree_hash = ?2)
       ORDER BY ran_at DESC, id DESC LIMIT ?3`,
      head ?? null,
      tree ?? null,
      limit,
    )
    .map(runOf);
}

/**
 * What is known of a state: the newest run of every command there that was not interrupted. A run
 * of other files says nothing of these, whether it passed or failed.
 */
export function standingRuns(reader: Reader, state: TreeState): readonly VerificationRun[] {
  const newest = new Map<string, VerificationRun>();
  for (const run of latestRuns(reader, KEPT_RUNS, state)) {
    if (!run.interrupted && !newest.has(run.command)) newest.set(run.command, run);
  }
  return [...newest.values()];
}

/** A run that has to do with some files or commits, without what it printed. */
export interface RunAbout
  extends Pick<
    VerificationRun,
    "id" | "tier" | "command" | "exit_code" | "timed_out" | "ran_at" | "head"
  > {
  /** Whether one of the files was among those that it was about. */
  readonly concerns: boolean;
}

/**
 * Runs that came to an end, the newest first.
 * @param files relative to the repository.
 * @param heads commits in full.
 */
export function runsAbout(
  reader: Reader,
  files: readonly string[],
  heads: readonly string[],
): readonly RunAbout[] {
  return reader
    .all<Omit<RunAbout, "timed_out" | "concerns"> & { timed_out: number; concerns: number }>(
      `SELECT * FROM (
         SELECT id, tier, command, exit_code, timed_out, ran_at, head, EXISTS (
           SELECT 1 FROM json_each(iif(json_valid(changed_files), changed_files, '[]')) AS file
           WHERE file.value IN (SELECT value FROM json_each(?))
         ) AS concerns FROM verification_runs WHERE NOT interrupted
       ) WHERE concerns OR head IN (SELECT value FROM json_each(?))
       ORDER BY ran_at DESC, id DESC`,
      JSON.stringify(files),
      JSON.stringify(heads),
    )
    .map((run) => ({
      ...run,
      timed_out: run.timed_out !== 0,
      concerns: run.concerns !== 0,
    }));
}

/** Whether a run says that the command succeeded. */
export function hasPassed({ exit_code, interrupted, timed_out }: VerificationRun): boolean {
  return exit_code === 0 && !interrupted && !timed_out;
}

function runOf(row: Row): VerificationRun {
  return {
    ...row,
    argv: texts(row.argv),
    changed_files: texts(row.changed_files),
    dirty: row.dirty === null ? null : row.dirty !== 0,
    interrupted: Boolean(row.interrupted),
    timed_out: Boolean(row.timed_out),
  };
}

function texts(json: string): readonly string[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}
