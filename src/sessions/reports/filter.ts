/** Which sessions and messages a question is about. */
import type { SqlValue } from "../../platform/sqlite/database.ts";

export interface SessionFilter {
  readonly provider?: string;
  readonly machine?: string;
  /** Absolute path of a repository: sessions that worked in it or below it. */
  readonly repo?: string;
  /** A file that the session touched, by the end of its path. */
  readonly file?: string;
  /** Name of a tool that the session used. */
  readonly tool?: string;
  /** Only what was said since this moment; UTC with milliseconds. */
  readonly since?: string;
}

/** Conditions on rows of `sessions`, and what fills them; no condition is `true`. */
export function sessionCondition(filter: SessionFilter): {
  readonly sql: string;
  readonly params: readonly SqlValue[];
} {
  const parts: string[] = [];
  const params: SqlValue[] = [];
  const add = (sql: string, ...values: readonly SqlValue[]): void => {
    parts.push(sql);
    params.push(...values);
  };
  const { provider, machine, repo, file, tool, since } = filter;
  if (provider !== undefined) add("sessions.provider = ?", provider);
  if (machine !== undefined) add("sessions.machine = ?", machine);
  if (repo !== undefined) {
    const below = repo.endsWith("/") ? repo : `${repo}/`;
    add("(sessions.cwd = ? OR substr(sessions.cwd, 1, length(?)) = ?)", repo, below, below);
  }
  if (file !== undefined) {
    const end = `/${file.replaceAll("\\", "/")}`;
    add(
      `sessions.key IN (SELECT session FROM touches
         WHERE path = ? OR substr('/' || replace(path, '\\', '/'), -length(?)) = ?)`,
      file,
      end,
      end,
    );
  }
  if (tool !== undefined) {
    add(
      `sessions.key IN (SELECT session FROM messages
         WHERE role = 'tool' AND kind <> 'tool_result' AND kind = ? COLLATE NOCASE
         UNION SELECT session FROM copied_tools WHERE name = ? COLLATE NOCASE)`,
      tool,
      tool,
    );
  }
  if (since !== undefined) add("sessions.updated_at >= ?", since);
  return { sql: parts.length === 0 ? "true" : parts.join(" AND "), params };
}
