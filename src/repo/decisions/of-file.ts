import type { Git } from "../../platform/git/runner.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { findFile, latestCommits } from "../history/queries.ts";
import { readMessages } from "./messages.ts";
import { reasonScore } from "./rank.ts";
import { type Decision, decision } from "./search.ts";

/** So many of the latest commits of a file are read. */
const MOST_READ = 60;

/**
 * Commits of a file whose messages give a decision or a reason, those that say most of it first, the
 * newest first among equals.
 * @param now seconds since 1970.
 */
export async function decisionsOfFile(
  git: Git,
  root: string,
  index: Reader,
  path: string,
  limit: number,
  now: number,
): Promise<readonly Decision[]> {
  const file = findFile(index, path, now);
  if (file === undefined) return [];
  const commits = latestCommits(index, file.id, MOST_READ);
  const messages = await readMessages(
    git,
    root,
    commits.map(({ hash }) => hash),
  );
  return messages
    .map((message, age) => ({ message, age, score: reasonScore(message) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.age - b.age)
    .slice(0, limit)
    .map(({ message }) => decision(message));
}
