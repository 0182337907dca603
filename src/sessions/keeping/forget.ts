/** Forgets sessions for good: they are erased here, and no index brings them back. */
import { counted } from "../../lib/counted.ts";
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import { isFile } from "../../platform/files.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { SessionObserver } from "../powers.ts";
import { sessionKey } from "../reports/show.ts";
import { forgetSession } from "../store/forget-session.ts";
import { askForErasure, finishErasure } from "./erase.ts";
import { rememberForgotten } from "./left-out.ts";

const TITLE_LENGTH = 60;

export interface ForgetRequest {
  readonly ids: readonly string[];
  /** Whether sessions that began as copies of it go too. */
  readonly with_forks?: boolean;
  /** Whether it is to be done; else whoever sits at the terminal is asked, or it is only said. */
  readonly confirmed?: boolean;
}

export interface NamedSession {
  readonly id: string;
  readonly provider: string;
  readonly machine: string;
  readonly title: string;
  readonly updated_at: string;
  readonly messages: number;
}

export interface ForgetReport {
  /** What was asked for, helpers of it, and forks where they were asked for. */
  readonly sessions: readonly NamedSession[];
  /** False where it was only said what would be forgotten. */
  readonly forgotten: boolean;
  /** Ids of forks that keep what they took over. */
  readonly kept_by_forks: readonly string[];
  /** Transcripts on disk, which belong to the agents' own programs. */
  readonly transcripts: readonly string[];
  /** Databases of the Go program, which may hold them and are never written. */
  readonly go_databases: readonly string[];
}

export interface ForgetPowers {
  /** UTC with milliseconds. */
  readonly now: string;
  /** Databases of the Go program that belong to the store. */
  readonly goDatabases: readonly string[];
  readonly confirm?: SessionObserver["confirm"];
}

/**
 * @throws PalliumError `session_not_found`, `session_ambiguous`; `database_locked` when the last bytes
 *   could not be erased yet, which the next `sessions index` does.
 */
export async function forgetSessions(
  database: Database,
  { ids, with_forks: withForks = false, confirmed = false }: ForgetRequest,
  { now, goDatabases, confirm }: ForgetPowers,
): Promise<ForgetReport> {
  const report = async (found: Found, forgotten: boolean): Promise<ForgetReport> => ({
    sessions: found.sessions,
    forgotten,
    kept_by_forks: found.kept_by_forks,
    transcripts: await filesAt(found.paths),
    go_databases: goDatabases,
  });
  const asked = lookAt(database, ids, withForks);
  if (!confirmed && !(await isConfirmed(asked.sessions, confirm))) return report(asked, false);
  const forgotten = await database.write((tx) => {
    // An index may have added helpers while somebody thought about it.
    const found = lookAt(tx, asked.ids, withForks);
    for (const key of found.keys) forgetOne(tx, key, now);
    askForErasure(tx, now);
    return found;
  });
  await finishErasure(database);
  return report(forgotten, true);
}

/** What is to be forgotten, as it stands in the store. */
interface Found {
  /** Of what was asked for, in full. */
  readonly ids: readonly string[];
  readonly keys: ReadonlySet<number>;
  readonly sessions: readonly NamedSession[];
  readonly kept_by_forks: readonly string[];
  /** Where their transcripts are, or were. */
  readonly paths: readonly string[];
}

function lookAt(reader: Reader, ids: readonly string[], withForks: boolean): Found {
  const asked = ids.map((id) => sessionKey(reader, id));
  const keys = withRelated(reader, asked, withForks);
  return {
    ids: namedSessions(reader, asked).map(({ id }) => id),
    keys,
    sessions: namedSessions(reader, keys),
    kept_by_forks: forksOf(reader, keys),
    paths: [...keys].flatMap((key) => pathsOf(reader, key)),
  };
}

async function filesAt(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if (await isFile(path)) found.push(path);
  return found;
}

async function isConfirmed(
  sessions: readonly NamedSession[],
  confirm: SessionObserver["confirm"],
): Promise<boolean> {
  const messages = sessions.reduce((sum, session) => sum + session.messages, 0);
  const [first] = sessions;
  const named = `${first?.id ?? ""} "${printable(oneLine(first?.title ?? "", TITLE_LENGTH))}"`;
  const others = sessions.length > 1 ? ` and ${sessions.length - 1} more` : "";
  const question = `Erase ${named}${others}, ${counted(messages, "message")}, for good?`;
  return (await confirm?.(question, new AbortController().signal)) === true;
}

function forgetOne(tx: Transaction, key: number, now: string): void {
  const name = tx.get<{ provider: string; id: string }>(
    "SELECT provider, id FROM sessions WHERE key = ?",
    key,
  );
  if (name === undefined) return;
  rememberForgotten(tx, name, now);
  tx.run("DELETE FROM copied_records WHERE id = ?", name.id);
  forgetSession(tx, key);
}

/**
 * The sessions with their helpers, theirs too, under whatever name of the computer all of them were read,
 * and with forks where they are wanted.
 */
function withRelated(reader: Reader, asked: readonly number[], withForks: boolean): Set<number> {
  const keys = new Set(asked);
  // A set goes on over what is added on the way.
  for (const key of keys) {
    const found = reader.all<{ key: number }>(
      `WITH own AS (SELECT provider, id FROM sessions WHERE key = ?)
       SELECT key FROM sessions WHERE (provider, id) IN own
       UNION SELECT key FROM sessions WHERE (provider, parent_id) IN own`,
      key,
    );
    for (const related of found) keys.add(related.key);
    if (withForks) for (const fork of forksWith(reader, key)) keys.add(fork.key);
  }
  return keys;
}

/** Sessions that hold copies of a session's messages, or say that they began as one. */
function forksWith(reader: Reader, key: number): readonly { key: number; id: string }[] {
  return reader.all<{ key: number; id: string }>(
    `SELECT key, id FROM sessions WHERE key IN (
       SELECT copy.session FROM message_copies AS copy
         JOIN messages ON messages.key = copy.message WHERE messages.session = ?1)
       OR forked_from <> '' AND (forked_from, provider) IN (SELECT id, provider FROM sessions WHERE key = ?1)
     ORDER BY id`,
    key,
  );
}

function forksOf(reader: Reader, keys: ReadonlySet<number>): readonly string[] {
  const forks = [...keys].flatMap((key) => forksWith(reader, key));
  return [...new Set(forks.filter(({ key }) => !keys.has(key)).map(({ id }) => id))];
}

export function namedSessions(reader: Reader, keys: Iterable<number>): readonly NamedSession[] {
  return [...keys].flatMap((key) =>
    reader.all<NamedSession>(
      `SELECT id, provider, machine, coalesce(nullif(title, ''), first_user_message) AS title,
         updated_at, (SELECT count(*) FROM messages WHERE session = sessions.key) AS messages
       FROM sessions WHERE key = ?`,
      key,
    ),
  );
}

/** Where the transcripts of a session are, or were. */
export function pathsOf(reader: Reader, key: number): readonly string[] {
  const rows = reader.all<{ path: string }>(
    `SELECT path FROM sources WHERE session = ?1
     UNION SELECT rollout_path FROM copied_sessions WHERE session = ?1 AND rollout_path <> ''`,
    key,
  );
  return rows.map(({ path }) => path);
}
