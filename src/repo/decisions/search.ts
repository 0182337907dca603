/**
 * Full-text search over commit messages and recorded decisions. The index knows which commits hold
 * which words; the best of those are read from git and ranked by their text.
 */
import { isoTime } from "../../lib/iso-time.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { RecordedDecision } from "../powers.ts";
import { type Message, readMessages } from "./messages.ts";
import { rankMessages } from "./rank.ts";
import { queryWords, stem } from "./words.ts";

/** What was decided, or why: a commit message that states it, or a decision that a workflow recorded. */
export interface Decision {
  readonly source_type: "git" | "workflow";
  /** Full hash of the commit, or id of the recorded decision. */
  readonly source_ref: string;
  readonly title: string;
  /** The whole message. */
  readonly body: string;
  /** UTC with milliseconds. */
  readonly committed_at: string;
  /** Of a recorded decision. */
  readonly run_id?: string;
  readonly tags?: readonly string[];
}

/** Of the commits that hold the most telling words, so many are read. */
const MOST_READ = 150;

export interface DecisionSearch {
  readonly question: string;
  /** Of the decisions found. */
  readonly limit: number;
  /** What is on record that holds any of these beginnings of words. */
  readonly recorded: (words: readonly string[]) => Promise<readonly RecordedDecision[]>;
}

/** What answers a question, the best first. Messages are read from git, so they are as they were written. */
export async function searchDecisions(
  git: Git,
  root: string,
  index: Reader,
  { question, limit, recorded }: DecisionSearch,
): Promise<readonly Decision[]> {
  const words = queryWords(question);
  const candidates = candidateCommits(index, words);
  const [messages, found] = await Promise.all([
    readMessages(git, root, hashesOf(index, candidates)),
    recorded(words.map(stem)),
  ]);
  const onRecord = new Map(found.map((one) => [one.id, one]));
  const all = [...messages, ...[...onRecord.values()].map(recordedMessage)];
  return rankMessages(all, words, limit).map((message) => {
    const known = onRecord.get(message.hash);
    return known === undefined ? decision(message) : recordedDecision(known);
  });
}

function recordedMessage({
  id,
  title,
  body = "",
  tags = [],
  created_at,
}: RecordedDecision): Message {
  return {
    hash: id,
    subject: title,
    body: [body, ...tags].join("\n"),
    committedAt: Date.parse(created_at) / 1000,
    isRecorded: true,
  };
}

function recordedDecision({ id, title, body, created_at, ...rest }: RecordedDecision): Decision {
  return {
    source_type: "workflow",
    source_ref: id,
    title,
    body: body === undefined ? title : `${title}\n\n${body}`,
    committed_at: created_at,
    ...rest,
  };
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
  const rows = index.all<{ hash: string }>(
    `SELECT lower(hex(hash)) AS hash FROM json_each(?) JOIN commits ON commits.id = value
     ORDER BY key`,
    JSON.stringify(ids),
  );
  return rows.map(({ hash }) => hash);
}
