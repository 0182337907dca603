/** Databases of the Go program with sessions in them, by its schema. */
import { type GoDatabaseOptions, writeGoDatabase } from "./go-database.ts";

const TABLES = `
CREATE TABLE codex_sessions (id TEXT PRIMARY KEY, machine TEXT NOT NULL, title TEXT,
  first_user_message TEXT, last_agent_message TEXT, cwd TEXT, source TEXT, model_provider TEXT,
  model TEXT, cli_version TEXT, git_branch TEXT, git_origin_url TEXT, created_at TEXT,
  updated_at TEXT, indexed_at TEXT NOT NULL, tokens_used INTEGER DEFAULT 0, status TEXT,
  rollout_path TEXT, rollout_sha256 TEXT, event_counts_json TEXT, files_touched_json TEXT,
  commands_json TEXT, tool_names_json TEXT, errors_json TEXT, metadata_json TEXT);
CREATE INDEX idx_codex_sessions_rollout_path ON codex_sessions (rollout_path);
CREATE TABLE codex_session_events (session_id TEXT, line_no INTEGER, timestamp TEXT, type TEXT,
  payload_type TEXT, raw_json TEXT NOT NULL, PRIMARY KEY (session_id, line_no));
CREATE TABLE codex_session_messages (session_id TEXT, line_no INTEGER, timestamp TEXT, role TEXT,
  kind TEXT, text TEXT, PRIMARY KEY (session_id, line_no));
CREATE VIRTUAL TABLE codex_session_fts USING fts5 (session_id UNINDEXED, title, cwd,
  first_user_message, last_agent_message, files, commands, text);
CREATE VIRTUAL TABLE codex_message_fts USING fts5 (session_id UNINDEXED, line_no UNINDEXED,
  role UNINDEXED, kind UNINDEXED, text);
CREATE TABLE codex_session_chunks (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
  chunk_index INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, text_sha256 TEXT NOT NULL,
  token_estimate INTEGER DEFAULT 0, metadata_json TEXT);
CREATE TABLE codex_session_embeddings (chunk_id TEXT, provider TEXT, model TEXT,
  dim INTEGER NOT NULL, vector_blob BLOB NOT NULL, text_sha256 TEXT NOT NULL,
  embedded_at TEXT NOT NULL, PRIMARY KEY (chunk_id, provider, model));
CREATE TABLE codex_session_state (key TEXT PRIMARY KEY, value TEXT, updated_at TEXT);`;

type Value = string | number | null;

export interface GoMessage {
  readonly line_no: number;
  readonly role: string;
  readonly text: string;
  readonly kind?: string;
  readonly timestamp?: string;
}

export interface GoTestSession {
  readonly id: string;
  readonly messages?: readonly GoMessage[];
  /** Columns of its row that differ from the usual ones. */
  readonly row?: Readonly<Record<string, Value>>;
}

/** As Go writes times: nine digits below the second, and an offset in place of the `Z`. */
export const GO_UPDATED = "2026-06-10T12:00:00.123456789+00:00";

/** Writes a database at a path, with all that the Go program keeps of each session. */
export function writeGoSessions(
  path: string,
  sessions: readonly GoTestSession[],
  { killed }: Pick<GoDatabaseOptions, "killed"> = {},
): Promise<void> {
  return writeGoDatabase(path, {
    roots: [],
    sql: `${TABLES}\nBEGIN;\n${sessions.map(goSessionSql).join("\n")}\nCOMMIT;`,
    ...(killed === undefined ? {} : { killed }),
  });
}

/** Statements that write a session as the Go program does, the one that was there replaced. */
export function goSessionSql({ id, messages = [], row = {} }: GoTestSession): string {
  const asked = messages.find(({ role }) => role === "user")?.text ?? "";
  const said = messages.filter(({ role }) => role !== "user").at(-1)?.text ?? "";
  const session: Record<string, Value> = {
    id,
    machine: "here",
    title: asked.slice(0, 240),
    first_user_message: asked,
    last_agent_message: said,
    cwd: "/tmp/repo",
    source: "cli",
    model_provider: "openai",
    created_at: "2026-06-10T11:00:00+00:00",
    updated_at: GO_UPDATED,
    indexed_at: "2026-06-11T00:00:00Z",
    status: "seen",
    event_counts_json: "null",
    files_touched_json: "null",
    commands_json: "null",
    tool_names_json: "null",
    errors_json: "null",
    metadata_json: "null",
    ...row,
  };
  const whole = messages.map(({ text }) => text).join("\n");
  return [
    `DELETE FROM codex_session_messages WHERE session_id = ${literal(id)};`,
    insert("codex_sessions", session),
    ...messages.flatMap((message) => [
      insert("codex_session_events", {
        session_id: id,
        line_no: message.line_no,
        type: "response_item",
        raw_json: JSON.stringify(message).slice(0, 20_000),
      }),
      insert("codex_session_messages", {
        session_id: id,
        timestamp: "2026-06-10T11:30:00+00:00",
        kind: "message",
        ...message,
      }),
    ]),
    insert("codex_session_fts", { session_id: id, text: whole }),
    insert("codex_session_chunks", {
      id: `${id}:0000`,
      session_id: id,
      chunk_index: 0,
      kind: "transcript",
      text: whole.slice(0, 6000),
      text_sha256: "00",
    }),
    insert("codex_session_embeddings", {
      chunk_id: `${id}:0000`,
      provider: "openai",
      model: "text-embedding-3-small",
      dim: 1,
      vector_blob: "\u0000",
      text_sha256: "00",
      embedded_at: "2026-06-11T00:00:00Z",
    }),
  ].join("\n");
}

function insert(table: string, row: Readonly<Record<string, Value>>): string {
  const values = Object.values(row).map(literal).join(", ");
  return `INSERT OR REPLACE INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values});`;
}

function literal(value: Value): string {
  if (typeof value !== "string") return value === null ? "NULL" : String(value);
  return `'${value.replaceAll("\0", "").replaceAll("'", "''")}'`;
}
