/** Reads the decisions that scripts put on record. */
import { parseJson } from "../../lib/json.ts";
import type { Reader } from "../../platform/sqlite/database.ts";

export interface DecisionRecord {
  readonly id: string;
  readonly run_id: string;
  readonly title: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly created_at: string;
}

/** A row of `workflow_decisions`. */
export interface DecisionRow {
  readonly id: string;
  readonly run_id: string;
  readonly title: string;
  readonly body: string;
  readonly tags: string;
  readonly created_at: string;
}

/**
 * Decisions of all runs whose title, body or tags hold every word of the query as it stands, letter
 * case aside; the newest first. An empty query finds the latest.
 */
export function searchDecisions(
  reader: Reader,
  query: string,
  limit: number,
): readonly DecisionRecord[] {
  const words = wordsOf(query);
  const where = words.length === 0 ? "" : `WHERE ${words.map(() => HOLDS).join(" AND ")}`;
  return reader
    .all<DecisionRow>(
      `SELECT * FROM workflow_decisions ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
      ...words,
      limit,
    )
    .map(decisionRecord);
}

/**
 * Decisions of runs in one of the folders, or below it, that hold any of the words; the newest first.
 */
export function decisionsBelow(
  reader: Reader,
  folders: readonly string[],
  words: readonly string[],
  limit: number,
): readonly DecisionRecord[] {
  if (words.length === 0 || folders.length === 0) return [];
  const { sql, values } = insideOf(folders);
  return reader
    .all<DecisionRow>(
      `SELECT * FROM workflow_decisions WHERE (${sql})
         AND (${words.map(() => HOLDS).join(" OR ")})
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      ...values,
      ...words.map(folded),
      limit,
    )
    .map(decisionRecord);
}

export interface RunDecisionSearch {
  readonly runId: string;
  /** Absolute. */
  readonly folders: readonly string[];
  /** Looked for as it stands, letter case aside. */
  readonly text: string;
}

/**
 * Decisions of a run, then those that runs in one of the folders, or below it, made and that hold the
 * text; the newest first.
 */
export function decisionsOfRun(
  reader: Reader,
  { runId, folders, text }: RunDecisionSearch,
  limit: number,
): readonly DecisionRecord[] {
  const { sql, values } = insideOf(folders);
  return reader
    .all<DecisionRow>(
      `SELECT * FROM workflow_decisions WHERE run_id = ? OR (? <> '' AND ${HOLDS} AND (${sql}))
       ORDER BY run_id = ? DESC, created_at DESC, id DESC LIMIT ?`,
      runId,
      text.trim(),
      folded(text.trim()),
      ...values,
      runId,
      limit,
    )
    .map(decisionRecord);
}

function insideOf(folders: readonly string[]): {
  readonly sql: string;
  readonly values: readonly string[];
} {
  return {
    sql: folders.map(() => "cwd = ? OR substr(cwd, 1, length(?) + 1) = ? || '/'").join(" OR "),
    values: folders.flatMap((folder) => [folder, folder, folder]),
  };
}

/** No pattern: every character stands for itself. */
const HOLDS = "instr(searched, ?) > 0";

function wordsOf(query: string): string[] {
  return folded(query)
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Text as it is compared. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function decisionRecord({
  id,
  run_id,
  title,
  body,
  tags,
  created_at,
}: DecisionRow): DecisionRecord {
  const list = parseJson(tags);
  return {
    id,
    run_id,
    title,
    ...(body === "" ? {} : { body }),
    ...(Array.isArray(list) && list.length > 0 ? { tags: list.map(String) } : {}),
    created_at,
  };
}
