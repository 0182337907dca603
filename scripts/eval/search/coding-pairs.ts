/** Questions from real transcripts of coding agents: what sessions were first asked, word for word. */
import type { Database, Reader, Transaction } from "../../../src/platform/sqlite/database.ts";
import type { Question, ToldSession } from "./collection.ts";

/** Of files that more sessions change, no one of these is about. */
const MOST_SESSIONS = 4;
/** Fewer words are no question, and more are a plan or a log that was pasted. */
const WORDS = { fewest: 4, most: 60 } as const;

export interface HeldOutQuestion extends Question {
  /** Sessions that were there when it was asked. */
  readonly earlier: ReadonlySet<string>;
}

interface Row {
  readonly key: number;
  readonly id: string;
  readonly family: string;
  readonly asked: string;
  readonly began: string;
  readonly ended: string;
}

/**
 * An answer is a session that had ended before, and had changed a file that the one which asked then
 * changed too, one that few sessions change: whoever asks is likely to want what was done there. The
 * own session, its helpers and forks, and everything later are held out.
 */
export function earlierWork(reader: Reader): readonly HeldOutQuestion[] {
  const sessions = reader.all<Row>(
    `SELECT key, id, coalesce(nullif(parent_id, ''), nullif(forked_from, ''), id) AS family,
       CASE parent_id WHEN '' THEN first_user_message ELSE '' END AS asked,
       created_at AS began, updated_at AS ended
     FROM sessions WHERE created_at <> '' ORDER BY created_at`,
  );
  const changed = changedFiles(reader);
  const changers = new Map<string, Set<number>>();
  for (const [session, files] of changed) {
    for (const file of files) {
      changers.set(file, (changers.get(file) ?? new Set()).add(session));
    }
  }
  return sessions.flatMap((session) => {
    if (!isQuestion(session.asked)) return [];
    const earlier = sessions.filter(
      ({ family, ended }) => ended < session.began && family !== session.family,
    );
    const files = [...(changed.get(session.key) ?? [])].filter(
      (file) => (changers.get(file)?.size ?? 0) <= MOST_SESSIONS,
    );
    const answers = earlier.filter(({ key }) => files.some((file) => changers.get(file)?.has(key)));
    if (answers.length === 0) return [];
    return [
      {
        text: session.asked,
        answers: new Set(answers.map(({ id }) => id)),
        group: "first ask",
        earlier: new Set(earlier.map(({ id }) => id)),
      },
    ];
  });
}

/** Files that each session changed, from the folder that it ran in: checkouts lie in different places. */
function changedFiles(reader: Reader): ReadonlyMap<number, ReadonlySet<string>> {
  const files = new Map<number, Set<string>>();
  const rows = reader.all<{ session: number; path: string; cwd: string }>(
    `SELECT touches.session, touches.path, sessions.cwd FROM touches
     JOIN sessions ON sessions.key = touches.session WHERE touches.kind = 'edited'`,
  );
  for (const { session, path, cwd } of rows) {
    const file = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
    files.set(session, (files.get(session) ?? new Set()).add(file));
  }
  return files;
}

/**
 * An answer is the session itself, after its first ask was taken out of the store, and with it those
 * of all others: what is left must be found by how somebody asked for it.
 */
export async function withoutAsks(database: Database): Promise<readonly Question[]> {
  const sessions = database.all<{ key: number; id: string; asked: string }>(
    `SELECT key, id, first_user_message AS asked FROM sessions
     WHERE parent_id = '' AND forked_from = ''`,
  );
  await database.write((tx) => {
    for (const { key, asked } of sessions) takeOut(tx, key, asked);
  });
  return sessions
    .filter(({ asked }) => isQuestion(asked))
    .map(({ id, asked }) => ({ text: asked, answers: new Set([id]), group: "own session" }));
}

function takeOut(tx: Transaction, session: number, asked: string): void {
  const sql = "SELECT key FROM messages WHERE session = ? AND role = 'user' AND text = ?";
  for (const { key } of tx.all<{ key: number }>(sql, session, asked)) {
    tx.run("DELETE FROM message_words WHERE rowid = ?", key);
    tx.run("DELETE FROM messages WHERE key = ?", key);
  }
  tx.run("DELETE FROM session_words WHERE rowid = ?", session);
  tx.run("UPDATE sessions SET first_user_message = '' WHERE key = ?", session);
}

function isQuestion(asked: string): boolean {
  const count = asked.trim().split(/\s+/).length;
  return count >= WORDS.fewest && count <= WORDS.most;
}

/** What a store holds, for other rankers. */
export function toldSessions(reader: Reader): readonly ToldSession[] {
  const sessions = new Map<string, { id: string; messages: ToldSession["messages"][number][] }>();
  for (const { id, role, text, timestamp } of reader.all<{
    id: string;
    role: string;
    text: string;
    timestamp: string;
  }>(
    `SELECT sessions.id, messages.role, messages.text, messages.timestamp
     FROM messages JOIN sessions ON sessions.key = messages.session ORDER BY messages.key`,
  )) {
    const session = sessions.get(id) ?? { id, messages: [] };
    session.messages.push({ role, text, at: new Date(timestamp) });
    sessions.set(id, session);
  }
  return [...sessions.values()];
}
