/** Reads from the journal of a run whether a call was paid for again that need not have been. */
import type { Database } from "bun:sqlite";
import { stagesOf, type Variant } from "./edit-scripts.ts";

interface CallRow {
  readonly id: string;
  readonly label: string;
  readonly script_hash: string;
  /** Of its good end, as text; absent for a call that has none. */
  readonly end: string | null;
}

interface Call {
  readonly id: string;
  readonly label: string;
  readonly variant: Variant;
  /** Whose edits its worker saw; absent for a call that did not end well. */
  readonly seen?: readonly string[];
}

/** Every call of the run, in the order in which they were started. */
function readCalls(
  database: Database,
  runId: string,
  variantOf: (scriptHash: string) => Variant,
): readonly Call[] {
  return database
    .query<CallRow, [string]>(
      `SELECT c.id, c.label, c.script_hash, max(e.data) AS end FROM workflow_calls c
       LEFT JOIN workflow_events e ON e.run_id = c.run_id AND e.type = 'settled'
         AND e.data ->> '$.callId' = c.id AND e.data ->> '$.outcome' = 'ok'
       WHERE c.run_id = ? GROUP BY c.id ORDER BY c.call_index`,
    )
    .all(runId)
    .map(({ id, label, script_hash, end }) => {
      const variant = variantOf(script_hash);
      if (end === null) return { id, label, variant };
      const { seen = [] } = JSON.parse(end) as { seen?: readonly string[] };
      return { id, label, variant, seen };
    });
}

export interface Payments {
  /** Calls that were made again and need not have been. */
  readonly again: readonly string[];
  /** How often at least, and at most, the worker of a label has begun. */
  readonly begun: ReadonlyMap<string, { readonly least: number; readonly most: number }>;
}

/**
 * A call that ended well may be made again only where its worker saw an edit that the script, as it
 * is then, no longer makes before it, or that was made again itself.
 * @param variantOf what the script with this hash is.
 */
export function readPayments(
  database: Database,
  runId: string,
  variantOf: (scriptHash: string) => Variant,
): Payments {
  const calls = readCalls(database, runId, variantOf);
  const again: string[] = [];
  const begun = new Map<string, { least: number; most: number }>();
  for (const [index, { id, label, variant, seen }] of calls.entries()) {
    const { least, most } = begun.get(label) ?? { least: 0, most: 0 };
    begun.set(label, { least: least + (seen === undefined ? 0 : 1), most: most + 1 });
    const paid = calls.slice(0, index).findLast((call) => call.label === label && call.seen);
    if (paid === undefined) continue;
    const stages = stagesOf(variant);
    const stageOf = (one: string) => stages.findIndex((stage) => stage.includes(one));
    const isGone = (other: string) => {
      const known = calls.findIndex((call) => call.id === other);
      const name = calls[known]?.label ?? "";
      const at = stageOf(name);
      const isMadeAgain = calls.slice(known + 1).some((call) => call.label === name);
      return at < 0 || at > stageOf(label) || isMadeAgain;
    };
    if (!paid.seen?.some(isGone)) again.push(`${label} was paid for again: ${paid.id}, then ${id}`);
  }
  return { again, begun };
}
