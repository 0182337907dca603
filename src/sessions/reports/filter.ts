/** Which sessions and messages a question is about. */

import { isWindowsPath } from "../../lib/windows-path.ts";
import type { SqlValue } from "../../platform/sqlite/database.ts";

export interface SessionFilter {
  readonly provider?: string;
  readonly machine?: string;
  /** Absolute path of a folder, of Windows too: sessions that worked in it or below it. */
  readonly repo?: string;
  /** A file that the session touched, by the end of its path. */
  readonly file?: string;
  /** Name of a tool that the session used. */
  readonly tool?: string;
  /** Only sessions that were written since this moment; UTC with milliseconds. */
  readonly since?: string;
}

/** Files by their whole paths, where the folder of the session is known. */
const TOUCHED_FILES = `(SELECT session, CASE WHEN path LIKE '/%' THEN path ELSE cwd || '/' || path END AS file
  FROM touches JOIN sessions AS touching ON touching.key = touches.session)`;

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
    const isWindows = isWindowsPath(repo);
    const spelled = (path: string) => (isWindows ? `lower(replace(${path}, '\\', '/'))` : path);
    const below = /[\\/]$/.test(repo) ? repo : `${repo}/`;
    add(
      `sessions.cwd <> '' AND substr(${spelled("sessions.cwd || '/'")}, 1, length(?)) = ${spelled("?")}`,
      below,
      below,
    );
  }
  if (file !== undefined) {
    const end = `/${file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "")}`;
    add(
      `sessions.key IN (SELECT session FROM ${TOUCHED_FILES}
         WHERE substr('/' || replace(file, '\\', '/'), -length(?)) = ?)`,
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
