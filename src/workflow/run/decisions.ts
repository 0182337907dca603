/** Decisions that scripts put on record, for later runs and for whoever asks the repository. */
import { parseJson } from "../../lib/json.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import { holdLease, type Lease } from "./lease.ts";

export interface DecisionRecord {
  readonly id: string;
  readonly run_id: string;
  readonly title: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly created_at: string;
}

/** Trimmed; tags without repetitions. */
export interface NewDecision {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
}

export interface DecisionLog {
  /** One that the run has recorded already is returned as it is. */
  record(decision: NewDecision): Promise<DecisionRecord>;
  search(query: string, limit: number): readonly DecisionRecord[];
}

interface DecisionRow {
  readonly id: string;
  readonly run_id: string;
  readonly title: string;
  readonly body: string;
  readonly tags: string;
  readonly created_at: string;
}

export interface DecisionLogOptions {
  readonly database: Database;
  readonly lease: Lease;
  /** Directory of the run, by which repositories find their decisions. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told of a failed write: like those of the journal it ends the run. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes under the lease of the run. */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { database, lease, cwd, clock, ids } = options;
  return {
    record: async (decision) => {
      try {
        return await database.write((tx) => {
          holdLease(tx, lease, clock);
          const row = { id: ids.next("decision"), runId: lease.runId, cwd, at: clock.iso() };
          return insertDecision(tx, row, decision);
        });
      } catch (error) {
        options.onFailure(error);
        throw error;
      }
    },
    search: (query, limit) => searchDecisions(database, query, limit),
  };
}

function insertDecision(
  tx: Parameters<Parameters<Database["write"]>[0]>[0],
  row: { readonly id: string; readonly runId: string; readonly cwd: string; readonly at: string },
  { title, body, tags }: NewDecision,
): DecisionRecord {
  const tagsJson = JSON.stringify(tags);
  tx.run(
    `INSERT INTO workflow_decisions (id, run_id, cwd, title, body, tags, searched, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id, title, body, tags) DO NOTHING`,
    row.id,
    row.runId,
    row.cwd,
    title,
    body,
    tagsJson,
    folded([title, body, ...tags].join("\n")),
    row.at,
  );
  const stored = tx.get<DecisionRow>(
    "SELECT * FROM workflow_decisions WHERE run_id = ? AND title = ? AND body = ? AND tags = ?",
    row.runId,
    title,
    body,
    tagsJson,
  );
  if (stored === undefined) throw new Error("a decision that was written is not there");
  return decisionRecord(stored);
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
  const inside = folders.map(() => "cwd = ? OR substr(cwd, 1, length(?) + 1) = ? || '/'");
  return reader
    .all<DecisionRow>(
      `SELECT * FROM workflow_decisions WHERE (${inside.join(" OR ")})
         AND (${words.map(() => HOLDS).join(" OR ")})
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      ...folders.flatMap((folder) => [folder, folder, folder]),
      ...words.map(folded),
      limit,
    )
    .map(decisionRecord);
}

/** No pattern: every character stands for itself. */
const HOLDS = "instr(searched, ?) > 0";

function wordsOf(query: string): string[] {
  return folded(query)
    .split(/\s+/)
    .filter((word) => word !== "");
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function decisionRecord({
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
