/**
 * Full-text search over commit messages. The index knows which commits hold which words; the best of
 * those are read from git and ranked by their text.
 */
import { isoTime } from "../../lib/iso-time.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { type Message, readMessages } from "./messages.ts";
import { rankMessages } from "./rank.ts";
import { queryWords } from "./words.ts";

/** A message that states what was decided, or why. */
export interface Decision {
  readonly source_type: "git";
  /** Full hash of the commit. */
  readonly source_ref: string;
  readonly title: string;
  /** The whole message. */
  readonly body: string;
  /** UTC with milliseconds. */
  readonly committed_at: string;
}

/** Of the commits that hold the most telling words, so many are read. */
const MOST_READ = 150;

/** The messages that answer a question, the best first. Read from git, so they are as they were written. */
export async function searchDecisions(
  git: Git,
  root: string,
  index: Reader,
  question: string,
  limit: number,
): Promise<readonly Decision[]> {
  const words = queryWords(question);
  const candidates = candidateCommits(index, words);
  const messages = await readMessages(git, root, hashesOf(index, candidates));
  return rankMessages(messages, words, limit).map(decision);
}

/** A message as reports give it. */
export function decision({ hash, subject, body, committedAt }: Message): Decision {
  return {
    source_type: "git",
    source_ref: hash,
    title: subject,
    body: body === "" ? subject : `${subject}\n\n${body}`,
    committed_at: isoTime(committedAt),
  };
}

/** Ids of commits, those that hold the rarest words first, the newest first among equals. */
function candidateCommits(index: Reader, words: readonly string[]): readonly number[] {
  const total = index.get<{ n: number }>("SELECT count(*) AS n FROM commits")?.n ?? 0;
  const scores = new Map<number, number>();
  for (const word of words) {
    const rows = index.all<{ rowid: number }>(
      "SELECT rowid FROM words WHERE words MATCH ?",
      `"${word}"`,
    );
    const rarity = Math.log(1 + (total - rows.length + 0.5) / (rows.length + 0.5));
    for (const { rowid } of rows) scores.set(rowid, (scores.get(rowid) ?? 0) + rarity);
  }
  return [...scores]
    .sort(([idA, a], [idB, b]) => b - a || idA - idB)
    .slice(0, MOST_READ)
    .map(([id]) => id);
}

function hashesOf(index: Reader, ids: readonly number[]): readonly string[] {
  return ids.flatMap((id) => {
    const sql = "SELECT lower(hex(hash)) AS hash FROM commits WHERE id = ?";
    const row = index.get<{ hash: string }>(sql, id);
    return row === undefined ? [] : [row.hash];
  });
}
