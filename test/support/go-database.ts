/** A database as the Go program leaves it, by its schema. */
import { Database as Connection } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

const TABLES = `
CREATE TABLE repos (id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL UNIQUE,
  branch TEXT NOT NULL, last_indexed_commit TEXT, indexed_at TEXT NOT NULL);
CREATE TABLE files (repo_id INTEGER NOT NULL, path TEXT NOT NULL, extension TEXT NOT NULL,
  churn_score INTEGER NOT NULL DEFAULT 0, recent_touch_count INTEGER NOT NULL DEFAULT 0,
  author_count INTEGER NOT NULL DEFAULT 0, last_touched_at TEXT NOT NULL DEFAULT '',
  exists_on_disk INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (repo_id, path));
CREATE TABLE verification_runs (id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL,
  tier TEXT NOT NULL, command TEXT NOT NULL, exit_code INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL, changed_files_json TEXT NOT NULL, cwd TEXT NOT NULL,
  ran_at TEXT NOT NULL);`;
const TASKS = `
CREATE TABLE active_tasks (repo_id INTEGER NOT NULL, branch TEXT NOT NULL DEFAULT '',
  goal TEXT NOT NULL, scope_paths TEXT NOT NULL, started_at TEXT NOT NULL,
  PRIMARY KEY (repo_id, branch));`;
/** Before its version 0.9.12. */
const TASKS_WITHOUT_BRANCH = `
CREATE TABLE active_tasks (repo_id INTEGER PRIMARY KEY, goal TEXT NOT NULL,
  scope_paths TEXT NOT NULL, started_at TEXT NOT NULL);`;

export interface GoDatabaseOptions {
  /** What its `repos` names; one repository each. */
  readonly roots: readonly string[];
  readonly tasksHaveBranches?: boolean;
  /** More statements. */
  readonly sql?: string;
  /**
   * Is killed with a log beside the file: everything in a `-wal`, or what it was before a change
   * that did not come to its end in a `-journal`.
   */
  readonly killed?: "wal" | "journal";
}

/** Repositories have the ids 1, 2 and so on, and the branch `main`. */
export async function writeGoDatabase(path: string, options: GoDatabaseOptions): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const script = `${TABLES}${options.tasksHaveBranches === false ? TASKS_WITHOUT_BRANCH : TASKS}`;
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify({ path, script, ...options })]),
    stderr: "inherit",
  });
  await child.exited;
}

if (import.meta.main) {
  const { path, script, roots, sql = "", killed } = await Bun.stdin.json();
  const connection = new Connection(path);
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA wal_autocheckpoint = 0");
  connection.run(script);
  for (const root of roots) {
    connection.run("INSERT INTO repos (root, branch, indexed_at) VALUES (?, 'main', '')", [root]);
  }
  connection.run(sql || "SELECT 1");
  if (killed === "journal") {
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.run("PRAGMA journal_mode = DELETE");
    connection.run("PRAGMA cache_size = 1");
    connection.run("BEGIN");
    connection.run("UPDATE active_tasks SET goal = 'never'");
    const row = connection.prepare(
      "INSERT INTO files (repo_id, path, extension) VALUES (9, ?, '')",
    );
    for (let n = 0; n < 500; n += 1) row.run(`${n}`.padEnd(500, "x"));
  }
  if (killed !== undefined) process.kill(process.pid, "SIGKILL");
  connection.close(true);
}
