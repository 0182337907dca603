/**
 * Tables of `records.sqlite`: what a repository's history cannot give back. A released migration
 * is frozen; changes are new ones.
 */
import type { Migration } from "../../platform/sqlite/migrations.ts";

/**
 * Columns that may be NULL are unknown for what the Go program recorded. `argv` and
 * `changed_files` are JSON lists; flags are 0 or 1; times are UTC with milliseconds.
 */
const TASKS_AND_VERIFICATION = `
CREATE TABLE tasks (
  place TEXT PRIMARY KEY,
  goal TEXT NOT NULL,
  scope TEXT NOT NULL,
  started_at TEXT NOT NULL,
  used_at TEXT NOT NULL,
  expires_after_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE verification_runs (
  id INTEGER PRIMARY KEY,
  tier TEXT NOT NULL,
  command TEXT NOT NULL,
  argv TEXT NOT NULL,
  cwd TEXT NOT NULL,
  exit_code INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  changed_files TEXT NOT NULL,
  ran_at TEXT NOT NULL,
  head TEXT,
  tree_hash TEXT,
  dirty INTEGER,
  branch TEXT,
  worktree TEXT,
  output TEXT NOT NULL DEFAULT '',
  interrupted INTEGER NOT NULL DEFAULT 0,
  timed_out INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX verification_runs_ran ON verification_runs(ran_at DESC, id DESC);

CREATE TABLE copied_databases (
  path TEXT PRIMARY KEY,
  copied_at TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  verification_runs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const RECORDS_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "tasks and verification runs", sql: TASKS_AND_VERIFICATION },
];
