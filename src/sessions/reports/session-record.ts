/** Sessions as commands report them. */
import { oneLine } from "../../lib/one-line.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { TRANSCRIPT_PATH } from "./transcript-path.ts";

/** One session; names are those of the Go program, `provider` and what follows are new. */
export interface SessionRecord {
  readonly id: string;
  readonly machine: string;
  readonly title: string;
  readonly first_user_message: string;
  readonly last_agent_message: string;
  readonly cwd: string;
  readonly source: string;
  readonly model_provider: string;
  readonly model: string;
  readonly cli_version: string;
  readonly git_branch: string;
  readonly git_origin_url: string;
  /** UTC with milliseconds; empty where the transcript has no times. */
  readonly created_at: string;
  readonly updated_at: string;
  /** As the agent's own program adds up, what a fork took over included. */
  readonly tokens_used: number;
  readonly status: string;
  /** Path of the transcript. */
  readonly rollout_path: string;
  /** SHA-256 of the transcript as it is on disk, where one session is shown; empty in lists and where it is gone. */
  readonly rollout_sha256: string;
  readonly files_touched: readonly string[];
  readonly commands: readonly string[];
  readonly tool_names: readonly string[];
  readonly errors: readonly string[];
  readonly provider: string;
  /** Id of the session that started this one as a helper; empty for a session of a user's. */
  readonly parent_id: string;
  /** Id of the session that this one began as a copy of. */
  readonly forked_from: string;
}

/** How much of a session a report holds. */
export interface Extent {
  /** Characters of the first and the last message. */
  readonly text: number;
  /** Entries of each list. */
  readonly entries: number;
}

export const IN_BRIEF: Extent = { text: 240, entries: 8 };
export const IN_FULL: Extent = { text: Number.POSITIVE_INFINITY, entries: 100_000 };

const TITLE_LENGTH = 120;

type Row = Omit<
  SessionRecord,
  "rollout_sha256" | "files_touched" | "commands" | "tool_names" | "errors"
> & { readonly key: number };

/** @param keys of sessions, in the order of the answer; what is gone meanwhile is left out. */
export function sessionRecords(
  reader: Reader,
  keys: readonly number[],
  extent: Extent,
): readonly SessionRecord[] {
  return keys.flatMap((key) => {
    const row = reader.get<Row>(
      `SELECT key, id, machine, title, first_user_message, last_agent_message, cwd,
         source, model_provider, model, cli_version, git_branch, git_origin_url, created_at,
         updated_at, tokens_used, coalesce(nullif(status, ''), 'seen') AS status, provider,
         parent_id, forked_from, ${TRANSCRIPT_PATH} AS rollout_path
       FROM sessions WHERE key = ?`,
      key,
    );
    return row === undefined ? [] : [sessionRecord(reader, row, extent)];
  });
}

/** Of a file that was named from the session's folder and by its whole path too, the whole path. */
const FILES = `
  SELECT coalesce(max(CASE WHEN path LIKE '/%' THEN path END), min(path)) AS value
  FROM touches JOIN sessions ON sessions.key = touches.session WHERE touches.session = ?
  GROUP BY CASE WHEN path LIKE '/%' THEN path ELSE sessions.cwd || '/' || path END
  ORDER BY max(touches.kind = 'edited') DESC, min(touches.line_no)`;

function sessionRecord(reader: Reader, row: Row, { text, entries }: Extent): SessionRecord {
  const { key, first_user_message: first, last_agent_message: last, ...fields } = row;
  const list = (sql: string): readonly string[] =>
    reader.all<{ value: string }>(`${sql} LIMIT ?`, key, entries).map(({ value }) => value);
  return {
    ...fields,
    title: oneLine(row.title || first || row.id, TITLE_LENGTH),
    first_user_message: within(first, text),
    last_agent_message: within(last, text),
    rollout_sha256: "",
    files_touched: list(FILES),
    commands: list(
      "SELECT command AS value FROM commands WHERE session = ? GROUP BY command ORDER BY min(line_no)",
    ),
    tool_names: list(
      `SELECT kind AS value FROM messages
       WHERE session = ?1 AND role = 'tool' AND kind <> 'tool_result'
       UNION SELECT name FROM copied_tools WHERE session = ?1 ORDER BY value`,
    ),
    errors: list("SELECT excerpt AS value FROM failures WHERE session = ? ORDER BY line_no"),
  };
}

function within(text: string, longest: number): string {
  return longest === Number.POSITIVE_INFINITY ? text : oneLine(text, longest);
}
