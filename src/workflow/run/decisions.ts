/** Decisions that scripts put on record, for later runs and for whoever asks the repository. */
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import {
  type DecisionRecord,
  type DecisionRow,
  decisionRecord,
  folded,
  searchDecisions,
} from "./decision-search.ts";
import { holdLease, type Lease } from "./lease.ts";

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
  tx: Transaction,
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
