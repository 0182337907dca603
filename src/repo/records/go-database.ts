/**
 * The database of the Go program that pallium was before. Its tasks and verification runs cannot
 * be derived anew, so they are copied into `records.sqlite`, once; the file itself is never changed.
 */
import { join } from "node:path";
import { messageOf } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { isFile } from "../../platform/files.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import { readForeignDatabase } from "../../platform/sqlite/foreign.ts";
import type { RecordsPowers } from "./powers.ts";
import { branchPlace, worktreePlace } from "./task-place.ts";

/** Where it may be, below the canonical root; the first that exists is the one in use. */
const LOCATIONS = [".pallium/pallium.sqlite", ".codex-memory/codex-memory.sqlite"];
/** How long a task of the Go program was in force, from its start. */
const TASK_LIFE_MS = 4 * 60 * 60 * 1000;
/** What the Go program calls the branch of a detached head. */
const DETACHED = "HEAD";

interface GoRecords {
  readonly tasks: readonly TaskRow[];
  readonly runs: readonly RunRow[];
}

interface RepoRow {
  readonly id: number;
  readonly root: string;
  readonly branch: string;
}

interface TaskRow {
  readonly branch: string;
  readonly goal: string;
  readonly scope_paths: string;
  readonly started_at: string;
}

interface RunRow {
  readonly tier: string;
  readonly command: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly changed_files_json: string;
  readonly cwd: string;
  readonly ran_at: string;
}

/** Its path relative to the canonical root, so that a checkout can be moved. */
export async function findGoDatabase(canonicalRoot: string): Promise<string | undefined> {
  for (const location of LOCATIONS) {
    if (await isFile(join(canonicalRoot, location))) return location;
  }
  return undefined;
}

/**
 * Copies what the Go program recorded of this repository, unless that has been done. A file that
 * cannot be read is named in a notice, and tried again the next time.
 */
export async function copyGoRecords(
  database: Database,
  canonicalRoot: string,
  powers: RecordsPowers,
): Promise<void> {
  const location = await findGoDatabase(canonicalRoot);
  if (location === undefined || isCopied(database, location)) return;
  const path = join(canonicalRoot, location);
  let records: GoRecords;
  try {
    records = await readForeignDatabase(path, (reader) => readGoRecords(reader, canonicalRoot));
  } catch (error) {
    powers.notice(`no tasks and verification runs copied from ${path}: ${messageOf(error)}`);
    return;
  }
  const copied = await database.write((tx) => {
    if (isCopied(tx, location)) return undefined;
    return copy(tx, records, { location, canonicalRoot, now: powers.clock.iso() });
  });
  const found = records.tasks.length + records.runs.length;
  if (copied === undefined || found === 0) return;
  const omitted = found - copied.tasks - copied.runs;
  const rest = omitted === 0 ? "" : `; left out as damaged or replaced since: ${omitted}`;
  powers.notice(
    `copied tasks (${copied.tasks}) and verification runs (${copied.runs}) from ${path}, which stays as it is${rest}`,
  );
}

function isCopied(reader: Reader, location: string): boolean {
  return reader.get("SELECT 1 FROM copied_databases WHERE path = ?", location) !== undefined;
}

function readGoRecords(reader: Reader, canonicalRoot: string): GoRecords {
  const repo = findRepo(reader, canonicalRoot);
  if (repo === undefined) return { tasks: [], runs: [] };
  return {
    tasks: columnsOf(reader, "active_tasks").has("goal") ? readTasks(reader, repo) : [],
    runs: columnsOf(reader, "verification_runs").has("tier")
      ? reader.all<RunRow>("SELECT * FROM verification_runs WHERE repo_id = ? ORDER BY id", repo.id)
      : [],
  };
}

/** A checkout that has been moved is known by the path it had, alone. */
function findRepo(reader: Reader, canonicalRoot: string): RepoRow | undefined {
  const repos = reader.all<RepoRow>("SELECT id, root, branch FROM repos");
  return (
    repos.find(({ root }) => root === canonicalRoot) ?? (repos.length === 1 ? repos[0] : undefined)
  );
}

function columnsOf(reader: Reader, table: string): ReadonlySet<string> {
  const columns = reader.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table);
  return new Set(columns.map(({ name }) => name));
}

/** Before tasks had branches there was one; it counts for the branch that was indexed last. */
function readTasks(reader: Reader, repo: RepoRow): readonly TaskRow[] {
  const tasks = reader.all<TaskRow>(
    columnsOf(reader, "active_tasks").has("branch")
      ? "SELECT branch, goal, scope_paths, started_at FROM active_tasks WHERE repo_id = ? ORDER BY branch DESC"
      : "SELECT '' AS branch, goal, scope_paths, started_at FROM active_tasks WHERE repo_id = ?",
    repo.id,
  );
  return tasks.map((task) => (task.branch === "" ? { ...task, branch: repo.branch } : task));
}

interface Copying {
  readonly location: string;
  readonly canonicalRoot: string;
  /** UTC with milliseconds. */
  readonly now: string;
}

interface Copied {
  readonly tasks: number;
  readonly runs: number;
}

function copy(tx: Transaction, { tasks, runs }: GoRecords, copying: Copying): Copied {
  let copied: Copied = { tasks: 0, runs: 0 };
  for (const task of tasks) {
    copied = { ...copied, tasks: copied.tasks + copyTask(tx, task, copying) };
  }
  for (const run of runs) copied = { ...copied, runs: copied.runs + copyRun(tx, run) };
  tx.run(
    "INSERT INTO copied_databases (path, copied_at, tasks, verification_runs) VALUES (?, ?, ?, ?)",
    copying.location,
    copying.now,
    copied.tasks,
    copied.runs,
  );
  return copied;
}

/** Rows that other tools spoilt are left out; a task that was started here goes before a copy. */
function copyTask(tx: Transaction, task: TaskRow, { canonicalRoot }: Copying): number {
  const startedAt = toTime(task.started_at);
  if (startedAt === undefined || typeof task.goal !== "string") return 0;
  const detached = task.branch === DETACHED || task.branch === "";
  return tx.run(
    `INSERT OR IGNORE INTO tasks (place, goal, scope, started_at, used_at, expires_after_ms)
     VALUES (?, ?, ?, ?, ?, ?)`,
    detached ? worktreePlace(canonicalRoot) : branchPlace(task.branch),
    task.goal,
    toList(task.scope_paths),
    startedAt,
    startedAt,
    TASK_LIFE_MS,
  ).changes;
}

function copyRun(tx: Transaction, run: RunRow): number {
  const { tier, command, cwd, exit_code, duration_ms } = run;
  const ranAt = toTime(run.ran_at);
  const isSound =
    [tier, command, cwd].every((value) => typeof value === "string") &&
    [exit_code, duration_ms].every(Number.isInteger);
  if (ranAt === undefined || !isSound) return 0;
  const changedFiles = toList(run.changed_files_json);
  return tx.run(
    `INSERT INTO verification_runs
       (tier, command, argv, cwd, exit_code, duration_ms, changed_files, ran_at)
     VALUES (?, ?, '[]', ?, ?, ?, ?, ?)`,
    tier,
    command,
    cwd,
    exit_code,
    duration_ms,
    changedFiles,
    ranAt,
  ).changes;
}

function toTime(text: unknown): string | undefined {
  const time = new Date(typeof text === "string" ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A JSON list of texts, whatever stood there. */
function toList(json: unknown): string {
  const value = typeof json === "string" ? parseJson(json) : undefined;
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  return JSON.stringify(texts);
}
