/** Tables of the workflow store. A released migration is frozen; changes are new ones. */
import type { Migration } from "../../platform/sqlite/migrations.ts";

const RUNS_AND_JOURNAL = `
CREATE TABLE workflow_runs (
  id TEXT PRIMARY KEY,
  task TEXT NOT NULL,
  cwd TEXT NOT NULL,
  script_name TEXT NOT NULL,
  script_path TEXT NOT NULL,
  script_hash TEXT NOT NULL,
  script_artifact TEXT NOT NULL,
  script_changed INTEGER NOT NULL DEFAULT 0,
  args_json TEXT,
  loop_name TEXT,
  codex_binary TEXT NOT NULL,
  max_agents INTEGER NOT NULL,
  max_agents_explicit INTEGER NOT NULL,
  max_concurrent_agents INTEGER NOT NULL,
  max_budget_usd TEXT,
  max_tokens INTEGER,
  retries INTEGER NOT NULL,
  provider_concurrency TEXT,
  fallback TEXT,
  agent_timeout_seconds INTEGER NOT NULL,
  agent_timeout_explicit INTEGER NOT NULL,
  allow_network INTEGER NOT NULL,
  limits_json TEXT NOT NULL,
  strict INTEGER NOT NULL,
  status TEXT NOT NULL,
  result TEXT,
  error TEXT,
  error_code TEXT,
  resume_after TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;
CREATE INDEX workflow_runs_updated ON workflow_runs(updated_at DESC, id);
CREATE INDEX workflow_runs_status ON workflow_runs(status);

CREATE TABLE workflow_phases (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  agent_count INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  completed_at TEXT,
  UNIQUE (run_id, name)
) STRICT;

CREATE TABLE workflow_calls (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  call_index INTEGER NOT NULL,
  call_key TEXT NOT NULL,
  primitive TEXT NOT NULL,
  phase TEXT NOT NULL,
  label TEXT NOT NULL,
  prompt_artifact TEXT NOT NULL,
  provider TEXT NOT NULL,
  repo TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  schema_hash TEXT NOT NULL,
  script_hash TEXT NOT NULL,
  args_hash TEXT NOT NULL,
  networked INTEGER NOT NULL,
  superseded INTEGER NOT NULL DEFAULT 0,
  cost_micros INTEGER NOT NULL,
  cost_source TEXT,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 1,
  usage_json TEXT,
  status TEXT NOT NULL,
  outcome TEXT,
  output_artifact TEXT,
  error TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;
CREATE UNIQUE INDEX workflow_calls_run ON workflow_calls(run_id, call_index);
CREATE INDEX workflow_calls_key ON workflow_calls(run_id, call_key);

CREATE TABLE workflow_failures (
  run_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  label TEXT NOT NULL,
  phase TEXT NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (run_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_events (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  fence INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_artifacts (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE workflow_leases (
  run_id TEXT PRIMARY KEY,
  fence INTEGER NOT NULL,
  owner TEXT,
  owner_pid INTEGER NOT NULL,
  heartbeat_at TEXT NOT NULL
) STRICT;

CREATE TABLE workflow_controls (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  action TEXT NOT NULL,
  requested_at TEXT NOT NULL
) STRICT;
CREATE INDEX workflow_controls_run ON workflow_controls(run_id);
`;

/** What another process decides about a gate is a request like those to pause or stop. */
const GATES_AND_DECISIONS = `
CREATE TABLE workflow_gates (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  call_key TEXT NOT NULL,
  call_id TEXT NOT NULL,
  name TEXT NOT NULL,
  message TEXT NOT NULL,
  manual INTEGER NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  opened_at TEXT NOT NULL,
  decided_at TEXT,
  UNIQUE (run_id, call_key)
) STRICT;
CREATE INDEX workflow_gates_run ON workflow_gates(run_id, opened_at DESC);

ALTER TABLE workflow_controls ADD COLUMN gate_id TEXT;
ALTER TABLE workflow_controls ADD COLUMN reason TEXT;

CREATE TABLE workflow_decisions (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  cwd TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  tags TEXT NOT NULL,
  searched TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (run_id, title, body, tags)
) STRICT;
CREATE INDEX workflow_decisions_created ON workflow_decisions(created_at DESC, id DESC);
`;

/** Trees are in the run's own objects; patches are files of the run. */
const EDITS = `
ALTER TABLE workflow_runs ADD COLUMN include_dirty INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workflow_runs ADD COLUMN links TEXT;
ALTER TABLE workflow_calls ADD COLUMN isolation TEXT NOT NULL DEFAULT '';
ALTER TABLE workflow_calls ADD COLUMN worktree TEXT;
ALTER TABLE workflow_calls ADD COLUMN patch_path TEXT;
ALTER TABLE workflow_calls ADD COLUMN receipt_json TEXT;
ALTER TABLE workflow_calls ADD COLUMN apply_state TEXT;

CREATE TABLE workflow_edit_bases (
  run_id TEXT NOT NULL,
  root TEXT NOT NULL,
  base_commit TEXT NOT NULL,
  base_tree TEXT NOT NULL,
  start_tree TEXT NOT NULL,
  staged_tree TEXT NOT NULL,
  staged_calls TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  PRIMARY KEY (run_id, root)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_edits (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  root TEXT NOT NULL,
  from_tree TEXT NOT NULL,
  to_tree TEXT NOT NULL,
  staged_before TEXT NOT NULL,
  staged_after TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE workflow_applications (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  root TEXT NOT NULL,
  to_tree TEXT NOT NULL,
  calls_json TEXT NOT NULL,
  steps_json TEXT NOT NULL,
  state TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  reverted_at TEXT
) STRICT;
CREATE INDEX workflow_applications_run ON workflow_applications(run_id, applied_at);
`;

/** From that time on a run has no files: it is set before the first of them goes. */
const COLLECTED_RUNS = `
ALTER TABLE workflow_runs ADD COLUMN collected_at TEXT;
`;

/** What starts a run: a person, a change, a commit, an interval or a time of day. */
const TRIGGERS = `
CREATE TABLE workflow_triggers (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  task TEXT NOT NULL,
  cwd TEXT NOT NULL,
  workflow_name TEXT,
  script_path TEXT,
  args_json TEXT,
  schedule TEXT,
  time_zone TEXT,
  paths_json TEXT,
  enabled INTEGER NOT NULL DEFAULT 1,
  last_run_id TEXT,
  last_ran_at TEXT,
  last_fingerprint TEXT,
  next_due_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX workflow_triggers_updated ON workflow_triggers(updated_at DESC, name);
`;

/** Where what agents answer is recorded, or taken from: a resume goes on with it. */
const RECORDINGS = `
ALTER TABLE workflow_runs ADD COLUMN record_folder TEXT;
ALTER TABLE workflow_runs ADD COLUMN replay_folder TEXT;
`;

/** Runs in the background, and requests about one call of a run. */
const OPERATING_RUNS = `
ALTER TABLE workflow_runs ADD COLUMN owned_session_id TEXT;
ALTER TABLE workflow_runs ADD COLUMN notify TEXT;
ALTER TABLE workflow_controls ADD COLUMN call_id TEXT;
`;

/**
 * Runs that go and runs that come: those whose files are being removed, where a run was made other
 * than here, and what was copied from databases of the Go program.
 */
const ARCHIVE = `
ALTER TABLE workflow_runs ADD COLUMN origin TEXT;

CREATE TABLE workflow_removals (
  run_id TEXT PRIMARY KEY,
  rows_gone INTEGER NOT NULL,
  repositories TEXT NOT NULL,
  begun_at TEXT NOT NULL
) STRICT;

CREATE TABLE copied_databases (
  path TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  waits_for TEXT NOT NULL,
  error TEXT,
  copied_at TEXT NOT NULL
) STRICT;

CREATE TABLE copied_records (
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  copied_at TEXT NOT NULL,
  PRIMARY KEY (path, kind, id)
) STRICT, WITHOUT ROWID;
`;

/** What is counted over many runs is read from these alone: rows hold results, usage and receipts. */
const OVERVIEWS = `
DROP INDEX workflow_runs_updated;
CREATE INDEX workflow_runs_newest
  ON workflow_runs(updated_at DESC, id DESC, status, completed_at, collected_at);
CREATE INDEX workflow_calls_counted ON workflow_calls(
  run_id, primitive, superseded, status, outcome, provider, mode, patch_path,
  cost_micros, input_tokens, output_tokens);
`;

/** Calls are found by the session of their provider, which the journal has. */
const SESSIONS = `
CREATE INDEX workflow_events_session ON workflow_events(
  CASE WHEN json_valid(data ->> '$.session') THEN data ->> '$.session' ->> '$.id' END
) WHERE type = 'settled'
  AND CASE WHEN json_valid(data ->> '$.session') THEN data ->> '$.session' ->> '$.id' END IS NOT NULL;
`;

/** Attempts that failed had conversations too; of few calls there are any. */
const OTHER_SESSIONS = `
CREATE INDEX workflow_events_other_sessions ON workflow_events(run_id)
  WHERE type = 'settled' AND data -> '$.otherSessions' IS NOT NULL;
`;

export const WORKFLOW_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "runs and journal", sql: RUNS_AND_JOURNAL },
  { version: 2, name: "gates and decisions", sql: GATES_AND_DECISIONS },
  { version: 3, name: "edits", sql: EDITS },
  { version: 4, name: "collected runs", sql: COLLECTED_RUNS },
  { version: 5, name: "triggers", sql: TRIGGERS },
  { version: 6, name: "recordings", sql: RECORDINGS },
  { version: 7, name: "operating runs", sql: OPERATING_RUNS },
  { version: 8, name: "archive", sql: ARCHIVE },
  { version: 9, name: "overviews", sql: OVERVIEWS },
  { version: 10, name: "sessions of calls", sql: SESSIONS },
  { version: 11, name: "sessions of attempts", sql: OTHER_SESSIONS },
];
