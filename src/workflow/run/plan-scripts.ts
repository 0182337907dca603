/** Runs the scripts of a run, its own and the saved workflows that it calls, with none of their calls. */
import type { Json } from "../../lib/json.ts";
import type { CallSetting } from "../calls/execution.ts";
import type { BudgetView, CallMessage } from "../engine/protocol.ts";
import {
  type RunScriptOptions,
  runScript,
  type ScriptHandlers,
  type ScriptLimits,
  type ScriptOutcome,
} from "../engine/script-host.ts";
import type { PreparedScript } from "../script/prepare.ts";
import { nestedCall, nestedValue, placed, type ScriptPlace, TOP } from "./nested.ts";
import type { NestedSources } from "./nested-sources.ts";
import type { ScriptSource } from "./request.ts";

/** A script whose calls are answered. */
export interface AskingScript {
  readonly setting: CallSetting;
  readonly place: ScriptPlace;
  /** Name of the saved workflow that it is, where another script called it. */
  readonly workflow?: string;
  /** Comes before the numbers of its calls. */
  readonly order: readonly number[];
}

/** Answers one call; without a value it is never answered. */
export type Answers = (script: AskingScript, message: CallMessage) => Promise<Json | undefined>;

export interface PlanScriptsOptions extends Pick<RunScriptOptions, "onAsking"> {
  readonly workerEntry: string | URL;
  readonly limits: ScriptLimits;
  readonly budget: () => BudgetView;
  readonly sources: NestedSources;
  readonly answers: Answers;
  /** Another program for a script than the one that runs are made of. */
  readonly prepare?: (script: ScriptSource) => Promise<PreparedScript>;
  /** Is told what scripts say besides their calls. */
  readonly hears?: Partial<Omit<ScriptHandlers, "call">>;
}

/** Calls without an answer leave whatever waits for them waiting. */
export function planScripts(
  options: PlanScriptsOptions,
  setting: CallSetting,
  script: ScriptSource,
): Promise<ScriptOutcome> {
  return run(options, { setting, place: TOP, order: [] }, script);
}

/** Orders what calls of scripts were made, by their numbers. */
export function byOrder(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  if (at === -1) return one.length - other.length;
  return (one[at] ?? 0) - (other[at] ?? 0);
}

async function run(
  options: PlanScriptsOptions,
  asking: AskingScript,
  script: ScriptSource,
): Promise<ScriptOutcome> {
  const { budget, limits, workerEntry: entry, onAsking, hears = {} } = options;
  const { program, fileName } = (await options.prepare?.(script)) ?? script.prepared;
  return runScript({
    entry,
    start: { type: "start", program, fileName, args: asking.setting.args, budget: budget() },
    limits,
    signal: new AbortController().signal,
    budget,
    ...(onAsking === undefined ? {} : { onAsking }),
    handlers: {
      call: (message) =>
        message.primitive === "workflow"
          ? nested(options, asking, message)
          : options.answers(asking, message),
      drop: hears.drop ?? (() => {}),
      phase: hears.phase ?? (() => {}),
      log: hears.log ?? (() => {}),
    },
  });
}

/** One that waits for what the journal lacks has no value. */
async function nested(
  options: PlanScriptsOptions,
  { setting, place: caller, order }: AskingScript,
  message: CallMessage,
): Promise<Json | undefined> {
  const { name, args, place } = nestedCall(placed(message, caller), caller);
  const { script } = await options.sources.load(name);
  let lacks = false;
  const answers: Answers = async (asking, inner) => {
    const value = await options.answers(asking, inner);
    lacks ||= value === undefined;
    return value;
  };
  const asking = {
    setting: { ...setting, args },
    place,
    workflow: name,
    order: [...order, message.id],
  };
  const outcome = await run({ ...options, answers }, asking, script);
  if (lacks && outcome.kind === "failed" && outcome.error.code === "deadlock") return undefined;
  return nestedValue(name, outcome);
}
