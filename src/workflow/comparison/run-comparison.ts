/** `workflow diff` of two runs: what they were asked, what their calls did, and where they part. */
import { usageError } from "../../lib/errors.ts";
import { toDollars } from "../../lib/money.ts";
import { optional } from "../../lib/optional.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { readKept } from "../run/nested-sources.ts";
import { type RunRow, requireArtifact, requireRun } from "../run/store.ts";
import { IS_AGENT, type RunStatus } from "../run/types.ts";
import {
  type Aspect,
  type Change,
  type ComparedCall,
  compareCalls,
  type TextOf,
} from "./compared-calls.ts";
import { durationMs, readRecordedCalls } from "./recorded-calls.ts";
import { type CompareTexts, createTextComparison, type TextDifference } from "./text-difference.ts";

export interface CompareRequest {
  /** Ids of two runs. */
  readonly before: string;
  readonly after: string;
}

export interface RunSide {
  readonly id: string;
  readonly task: string;
  readonly cwd: string;
  readonly script_name: string;
  readonly status: RunStatus;
  readonly error?: string;
  readonly created_at: string;
  readonly completed_at?: string;
  /** From when it was first started to when it ended; absent of one that has not. */
  readonly duration_ms?: number;
  /** Of several attempts at one call the latest counts. */
  readonly agents_total: number;
  /** US dollars, reported or estimated, of all attempts. */
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface ComparedText {
  readonly change: Change;
  readonly difference?: TextDifference;
}

/** The script of the runs, or a saved workflow that it ran. */
export interface ComparedScript extends ComparedText {
  readonly name: string;
}

/** Ids of the call in the runs that made it. */
export interface Divergence {
  readonly label?: string;
  readonly scope: string;
  readonly change: Exclude<Change, "same">;
  readonly differs: readonly Aspect[];
  readonly before?: string;
  readonly after?: string;
}

export interface RunComparison {
  readonly before: RunSide;
  readonly after: RunSide;
  /** The script of the runs is the first. */
  readonly scripts: readonly ComparedScript[];
  readonly args: ComparedText;
  readonly result: ComparedText;
  readonly calls_by_change: Readonly<Record<Change, number>>;
  /** The first call that is not the same; absent where all are. */
  readonly first_divergence?: Divergence;
  readonly calls: readonly ComparedCall[];
}

/**
 * Reads the store alone: files of the runs may be gone.
 * @throws PalliumError `usage`, `run_not_found`
 */
export function compareRuns(reader: Reader, request: CompareRequest): RunComparison {
  if (request.before === request.after) {
    throw usageError(`a run is not compared with itself: ${request.before}`);
  }
  const before = requireRun(reader, request.before);
  const after = requireRun(reader, request.after);
  const textOf: TextOf = (hash) => (hash === "" ? "" : requireArtifact(reader, hash));
  const compareTexts = createTextComparison();
  const scripts = compareScripts(reader, before, after, textOf, compareTexts);
  const calls = compareCalls(
    readRecordedCalls(reader, before.id, before.cwd),
    readRecordedCalls(reader, after.id, after.cwd),
    textOf,
    compareTexts,
  );
  const count = (wanted: Change) => calls.filter(({ change }) => change === wanted).length;
  return {
    before: runSide(reader, before),
    after: runSide(reader, after),
    scripts,
    args: compared(before.args_json, after.args_json, compareTexts),
    result: compared(before.result, after.result, compareTexts),
    calls_by_change: {
      same: count("same"),
      differs: count("differs"),
      only_before: count("only_before"),
      only_after: count("only_after"),
    },
    ...optional({ first_divergence: firstDivergence(calls) }),
    calls,
  };
}

function runSide(reader: Reader, row: RunRow): RunSide {
  const sums = reader.get<{ agents: number; cost: number; input: number; output: number }>(
    `SELECT count(*) FILTER (WHERE superseded = 0) AS agents, coalesce(sum(cost_micros), 0) AS cost,
       coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output
     FROM workflow_calls WHERE run_id = ? AND ${IS_AGENT}`,
    row.id,
  ) ?? { agents: 0, cost: 0, input: 0, output: 0 };
  return {
    id: row.id,
    task: row.task,
    cwd: row.cwd,
    script_name: row.script_name,
    status: row.status,
    ...optional({ error: row.error ?? undefined }),
    created_at: row.created_at,
    ...optional({
      completed_at: row.completed_at ?? undefined,
      duration_ms: durationMs(row.created_at, row.completed_at),
    }),
    agents_total: sums.agents,
    cost_usd: toDollars(sums.cost),
    input_tokens: sums.input,
    output_tokens: sums.output,
  };
}

function compareScripts(
  reader: Reader,
  before: RunRow,
  after: RunRow,
  textOf: TextOf,
  compareTexts: CompareTexts,
): readonly ComparedScript[] {
  const [old, now] = [readKept(reader, before.id), readKept(reader, after.id)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  // A run of the Go program may have no text of its script.
  const text = (hash = "") => (hash === "" ? null : textOf(hash));
  return [
    {
      name: after.script_name,
      ...compared(text(before.script_artifact), text(after.script_artifact), compareTexts),
    },
    ...names.map((name) => ({
      name,
      ...compared(text(old.get(name)?.last), text(now.get(name)?.last), compareTexts),
    })),
  ];
}

function compared(
  before: string | null,
  after: string | null,
  compareTexts: CompareTexts,
): ComparedText {
  if (before === null && after === null) return { change: "same" };
  const difference = compareTexts(before ?? "", after ?? "");
  if (before === null) return { change: "only_after", ...optional({ difference }) };
  if (after === null) return { change: "only_before", ...optional({ difference }) };
  return difference === undefined ? { change: "same" } : { change: "differs", difference };
}

function firstDivergence(calls: readonly ComparedCall[]): Divergence | undefined {
  for (const { change, label, scope, differs, before, after } of calls) {
    if (change === "same") continue;
    return {
      ...optional({ label }),
      scope,
      change,
      differs,
      ...optional({ before: before?.id, after: after?.id }),
    };
  }
  return undefined;
}
