/** `workflow dry-run`: what a script would do, found out by running it with stubs for answers. */
import { isRecord, type Json } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { byOrder } from "../run/plan-scripts.ts";
import { positioned, spoken } from "../run/script-errors.ts";
import { validateScript } from "../script/validate.ts";
import { type Forecast, forecastOf, readHistory } from "./forecast.ts";
import {
  type RefusedCall,
  type Rehearsal,
  type RehearsedCall,
  withRehearsals,
} from "./rehearse.ts";
import { planRehearsal, type RehearsalRequest } from "./rehearsed-run.ts";

/** Free text in answers. */
const WORD = "dry run";
const PREVIEW_LENGTH = 100;
const FIRST = () => 0;

export const DRY_RUN_STATES = ["completed", "failed", "cut"] as const;
export const DRY_CALL_STATES = ["answered", "refused"] as const;

export interface DryCall {
  readonly primitive: string;
  readonly label: string;
  readonly phase: string;
  /** Structural scope; empty at the top. */
  readonly scope: string;
  readonly mode: string;
  readonly provider: string;
  readonly model: string;
  /** First line of what it would be asked. */
  readonly prompt: string;
  /** Whether its answer must match a schema. */
  readonly has_schema: boolean;
  /** Name of the saved workflow whose script makes it. */
  readonly workflow?: string;
  readonly line?: number;
  readonly column?: number;
  readonly state: (typeof DRY_CALL_STATES)[number];
  /** Why it would fail, or what is to be known of its stub. */
  readonly note?: string;
}

export interface DryPhase {
  readonly name: string;
  /** In the meta block. */
  readonly declared: boolean;
  readonly entered: boolean;
  readonly calls: number;
}

export interface DryRun {
  readonly script: string;
  readonly task: string;
  readonly cwd: string;
  /** `cut` where it made more calls than were answered. */
  readonly state: (typeof DRY_RUN_STATES)[number];
  /** Why it fails on stub answers. */
  readonly error?: string;
  readonly line?: number;
  readonly phases: readonly DryPhase[];
  readonly calls: readonly DryCall[];
  readonly forecast: Forecast;
  /** Items that parallel and pipeline would drop. */
  readonly drops: readonly { readonly label: string; readonly error: string }[];
  readonly logs: readonly string[];
  /** What the script returns on stub answers; `null` without. */
  readonly result: Json;
  /** What `workflow validate` warns of. */
  readonly warnings: readonly string[];
  /** What the picture leaves out. */
  readonly notes: readonly string[];
}

/** @throws PalliumError as `workflow run` does for a run that cannot begin. */
export async function dryRun(
  powers: WorkflowPowers,
  database: Database,
  request: RehearsalRequest,
  observer: Pick<RunObserver, "warn">,
): Promise<DryRun> {
  const { plan, options } = await planRehearsal(powers, database, request, observer);
  const history = readHistory(database);
  const { estimateMicros, ...common } = options();
  const rehearsal = await withRehearsals(powers, (rehearse) =>
    rehearse({
      ...common,
      estimateMicros,
      costMicros: ({ label, providers, content: { mode } }) =>
        history.estimate({ label, providers, mode })?.costMicros ?? estimateMicros,
      word: () => WORD,
      choose: FIRST,
    }),
  );
  const { warnings = [] } = await validateScript(plan.script.text, plan.script.name);
  const calls = dryCalls(rehearsal);
  return {
    script: plan.script.name,
    task: plan.task,
    cwd: plan.cwd,
    ...endOf(rehearsal),
    phases: phasesOf(plan.script.prepared.meta, rehearsal, calls),
    calls,
    forecast: forecastOf(history, rehearsal.calls),
    drops: rehearsal.drops.map(({ label, error }) => ({
      label,
      error: spoken(error.message, "item"),
    })),
    logs: rehearsal.logs,
    result: rehearsal.outcome.kind === "returned" ? (rehearsal.outcome.value ?? null) : null,
    warnings,
    notes: notesOf(rehearsal, common.mostCalls),
  };
}

function endOf({ outcome, isCut }: Rehearsal): Pick<DryRun, "state" | "error" | "line"> {
  if (isCut && (outcome.kind === "returned" || isWaiting(outcome))) return { state: "cut" };
  if (outcome.kind === "returned") return { state: "completed" };
  if (outcome.kind !== "failed") return { state: "failed", error: `script ${outcome.kind}` };
  const { line } = outcome.error;
  const error = positioned({ message: outcome.error.message });
  return { state: "failed", error, ...(line === undefined ? {} : { line }) };
}

/** Whether a script waits for nothing but what was never answered. */
function isWaiting(outcome: Rehearsal["outcome"]): boolean {
  return outcome.kind === "failed" && outcome.error.code === "deadlock";
}

function dryCalls({ calls, refused }: Rehearsal): readonly DryCall[] {
  return [...calls.map(dryCall), ...refused.map(refusedCall)]
    .toSorted((a, b) => byOrder(a.order, b.order))
    .map(({ order: _, ...call }) => call);
}

type Ordered = DryCall & { readonly order: readonly number[] };

function dryCall({ order, identity, plan, phase, refusal, note, ...site }: RehearsedCall): Ordered {
  const { content, label, prompt, providers } = plan;
  const about = refusal ?? note;
  return {
    order,
    primitive: content.primitive,
    label,
    phase,
    scope: identity.scope,
    mode: content.mode,
    provider: providers[0] ?? "",
    model: content.model,
    prompt: firstLine(prompt),
    has_schema: isRecord(content.schema),
    ...placeOf(site),
    state: refusal === undefined ? "answered" : "refused",
    ...(about === undefined ? {} : { note: about }),
  };
}

function refusedCall({ order, primitive, phase, error, ...site }: RefusedCall): Ordered {
  return {
    order,
    primitive,
    label: "",
    phase,
    scope: "",
    mode: "",
    provider: "",
    model: "",
    prompt: "",
    has_schema: false,
    ...placeOf(site),
    state: "refused",
    note: error,
  };
}

function placeOf({ workflow, line, column }: Pick<RehearsedCall, "workflow" | "line" | "column">) {
  return {
    ...(workflow === undefined ? {} : { workflow }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** The first line of a prompt that says anything, cut where it is long. */
export function firstLine(prompt: string): string {
  const line = prompt.split("\n").find((each) => each.trim() !== "") ?? "";
  return oneLine(line, PREVIEW_LENGTH);
}

/** Those of the meta block first, as they stand there. */
function phasesOf(
  meta: Json,
  rehearsal: Rehearsal,
  calls: readonly DryCall[],
): readonly DryPhase[] {
  const declared = isRecord(meta) && Array.isArray(meta.phases) ? meta.phases : [];
  const names = declared.flatMap((phase: unknown) => {
    const name = isRecord(phase) ? (phase.title ?? phase.name) : phase;
    return typeof name === "string" ? name.trim() : [];
  });
  const used = [...rehearsal.phases, ...calls.map(({ phase }) => phase)].filter(Boolean);
  return [...new Set([...names, ...used])].map((name) => ({
    name,
    declared: names.includes(name),
    entered: used.includes(name),
    calls: calls.filter(({ phase }) => phase === name).length,
  }));
}

function notesOf({ calls, isCut, loops }: Rehearsal, mostCalls: number): readonly string[] {
  const passes = calls.some(({ plan }) => plan.kind === "check" || plan.gate !== undefined);
  return [
    ...(isCut ? [cutNote(calls, mostCalls)] : []),
    ...(passes ? ["checks pass and gates approve here; what follows otherwise is not shown"] : []),
    ...(loops > 0 ? ["verify.untilGreen is green at once here; none of its fixes is counted"] : []),
  ];
}

/** Names the line that makes most calls, which is where the loop is. */
function cutNote(calls: readonly RehearsedCall[], mostCalls: number): string {
  const byLine = [...Map.groupBy(calls, ({ line = 0 }) => line)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const [[line, made] = [0, []]] = byLine;
  const where = line === 0 ? "" : `; line ${line} made ${made.length} of them`;
  return `stopped after ${mostCalls} calls${where}: on stub answers the script may never end (--max-calls)`;
}
