/**
 * Measures how good the answers of `pallium sessions search` are:
 *
 *   node_modules/.bin/bun scripts/eval/sessions.ts --locomo <locomo10.json> [--dialogs 6-10]
 *   node_modules/.bin/bun scripts/eval/sessions.ts --transcripts <home of Claude Code>
 *
 * Prints the tables of docs/evaluation.md. Constants are set on dialogs 1 to 5; the others are for
 * the figures that are told.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { earlierWork, toldSessions, withoutAsks } from "./search/coding-pairs.ts";
import type { Collection } from "./search/collection.ts";
import { readLocomo } from "./search/locomo.ts";
import { fullTextRanker, grepRanker, palliumRanker } from "./search/rankers.ts";
import { type Asked, groupTable, scoreTable } from "./search/score.ts";
import { indexedStore, indexTranscripts } from "./search/store.ts";

const RANKERS = ["pallium", "grep", "FTS5"];

const { values } = parseArgs({
  options: {
    locomo: { type: "string" },
    dialogs: { type: "string", default: "6-10" },
    transcripts: { type: "string" },
  },
});

async function ask(directory: string, { sessions, questions }: Collection): Promise<Asked[]> {
  mkdirSync(directory);
  using database = await indexedStore(directory, sessions);
  const rankers = [palliumRanker(database), grepRanker(sessions), fullTextRanker(sessions)];
  return questions.map((question) => ({
    question,
    named: rankers.map((rank) => rank(question.text)),
  }));
}

function together(collections: readonly Collection[]): Collection {
  return {
    sessions: collections.flatMap(({ sessions }) => sessions),
    questions: collections.flatMap(({ questions }) => questions),
  };
}

async function locomoTables(directory: string, path: string): Promise<string> {
  const [first = 1, last = first] = values.dialogs.split("-").map(Number);
  const dialogs = readLocomo(path).slice(first - 1, last);
  const apart: Asked[] = [];
  for (const [place, dialog] of dialogs.entries()) {
    apart.push(...(await ask(join(directory, `${place}`), dialog)));
  }
  const all = together(dialogs);
  const mixed = await ask(join(directory, "all"), all);
  const size = `${all.questions.length} questions, ${all.sessions.length} sessions`;
  return [
    `**LoCoMo, dialogs ${values.dialogs}, each in a store of its own** (${size})`,
    scoreTable(RANKERS, apart),
    groupTable(apart),
    `**LoCoMo, dialogs ${values.dialogs}, all in one store**`,
    scoreTable(RANKERS, mixed),
  ].join("\n\n");
}

async function codingTables(directory: string, claudeHome: string): Promise<string> {
  mkdirSync(directory);
  using database = await indexTranscripts(resolve(claudeHome), directory);
  const rankersOf = () => {
    const told = toldSessions(database);
    return [palliumRanker(database), grepRanker(told), fullTextRanker(told)];
  };
  const whole = rankersOf();
  const earlier = earlierWork(database).map((question) => ({
    question,
    named: whole.map((rank) => rank(question.text).filter((id) => question.earlier.has(id))),
  }));
  const questions = await withoutAsks(database);
  const left = rankersOf();
  const own = questions.map((question) => ({
    question,
    named: left.map((rank) => rank(question.text)),
  }));
  return [
    `**Coding, earlier work on the same files** (${earlier.length} questions)`,
    scoreTable(RANKERS, earlier),
    `**Coding, the session without its first ask** (${own.length} questions)`,
    scoreTable(RANKERS, own),
  ].join("\n\n");
}

const home = mkdtempSync(join(tmpdir(), "pallium-eval-"));
try {
  if (values.locomo !== undefined) console.log(await locomoTables(home, values.locomo));
  if (values.transcripts !== undefined) {
    console.log(await codingTables(join(home, "coding"), values.transcripts));
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
