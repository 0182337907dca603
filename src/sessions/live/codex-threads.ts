/** What Codex's own database says of its threads; everything is told without it, but for names. */
import { join } from "node:path";
import { listFiles } from "../../platform/files.ts";
import { peekIntoDatabase } from "../../platform/sqlite/peek.ts";
import { textOf } from "../transcripts/fields.ts";

export interface CodexThread {
  /** As its user named it, else as Codex did; empty where neither did. */
  readonly title: string;
  readonly firstUserMessage: string;
  readonly cwd: string;
  readonly gitBranch: string;
  readonly gitOriginUrl: string;
}

const STATE = /^state_(\d+)\.sqlite$/;

/**
 * By id, as far as the latest database that can be read has them. Which columns there are depends on
 * the version: all are asked for, and what is missing is empty.
 */
export async function codexThreads(
  home: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CodexThread>> {
  const sql = `SELECT * FROM threads WHERE id IN (${ids.map(() => "?").join(", ")})`;
  for (const name of await stateDatabases(home)) {
    const rows = peekIntoDatabase(join(home, name), (reader) =>
      reader.all<Record<string, unknown>>(sql, ...ids),
    );
    if (rows !== undefined) return new Map(rows.map((row) => [textOf(row.id), threadOf(row)]));
  }
  return new Map();
}

/** The number is that of the schema: the latest first. */
async function stateDatabases(home: string): Promise<readonly string[]> {
  const number = (name: string) => Number(STATE.exec(name)?.[1]);
  const names = (await listFiles(home)).filter((name) => STATE.test(name));
  return names.sort((a, b) => number(b) - number(a));
}

function threadOf(row: Record<string, unknown>): CodexThread {
  return {
    title: textOf(row.name, row.title),
    firstUserMessage: textOf(row.first_user_message, row.preview),
    cwd: textOf(row.cwd),
    gitBranch: textOf(row.git_branch),
    gitOriginUrl: textOf(row.git_origin_url),
  };
}
