/** Ways of putting sessions in order for a question: that of pallium, and what anybody could write in an hour. */
import { Database as Connection } from "bun:sqlite";
import type { Database } from "../../../src/platform/sqlite/database.ts";
import { searchSessions } from "../../../src/sessions/search/search.ts";
import type { ToldSession } from "./collection.ts";

/** Ids of sessions, the best first; the question is given as it stands. */
export type Ranker = (question: string) => readonly string[];

export const DEPTH = 300;
const WORD = /[\p{L}\p{N}]+/gu;

export function palliumRanker(database: Database): Ranker {
  return (question) =>
    searchSessions(database, { words: [question], limit: DEPTH }).map(({ id }) => id);
}

/** Sessions by how many of the question's words they hold anywhere, then by how often: `grep -iw`. */
export function grepRanker(sessions: readonly ToldSession[]): Ranker {
  const texts = sessions.map(({ id, messages }) => ({ id, counts: wordCounts(messages) }));
  return (question) => {
    const words = new Set(question.toLowerCase().match(WORD) ?? []);
    return texts
      .map(({ id, counts: all }) => {
        const counts = [...words].map((word) => all.get(word) ?? 0);
        const found = counts.filter((count) => count > 0).length;
        return { id, found, times: counts.reduce((sum, count) => sum + count, 0) };
      })
      .filter(({ found }) => found > 0)
      .sort((a, b) => b.found - a.found || b.times - a.times)
      .slice(0, DEPTH)
      .map(({ id }) => id);
  };
}

function wordCounts(messages: ToldSession["messages"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of messages) {
    for (const word of text.toLowerCase().match(WORD) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

/** SQLite's own full-text search, one document per session, any of the question's words. */
export function fullTextRanker(sessions: readonly ToldSession[]): Ranker {
  const connection = new Connection(":memory:");
  connection.run("CREATE VIRTUAL TABLE told USING fts5 (id UNINDEXED, text, tokenize = 'porter')");
  const add = connection.prepare("INSERT INTO told (id, text) VALUES (?, ?)");
  for (const { id, messages } of sessions) {
    add.run(id, messages.map(({ text }) => text).join("\n"));
  }
  const find = connection.prepare<{ id: string }, [string, number]>(
    "SELECT id FROM told WHERE told MATCH ? ORDER BY rank LIMIT ?",
  );
  return (question) => {
    const words = [...new Set(question.toLowerCase().match(WORD) ?? [])];
    const match = words.map((word) => `"${word}"`).join(" OR ");
    return match === "" ? [] : find.all(match, DEPTH).map(({ id }) => id);
  };
}
