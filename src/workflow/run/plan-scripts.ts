/** Runs the scripts of a run against its journal: its own, and the saved workflows that it calls. */
import type { Json } from "../../lib/json.ts";
import type { CallSetting } from "../calls/execution.ts";
import type { BudgetView, CallMessage } from "../engine/protocol.ts";
import { runScript, type ScriptLimits, type ScriptOutcome } from "../engine/script-host.ts";
import type { PreparedScript } from "../script/prepare.ts";
import type { AskingScript, JournalAnswers } from "./journal-answers.ts";
import { nestedCall, nestedValue, placed, TOP } from "./nested.ts";
import type { NestedSources } from "./nested-sources.ts";

export interface PlanScriptsOptions {
  readonly workerEntry: string | URL;
  readonly limits: ScriptLimits;
  readonly budget: BudgetView;
  readonly sources: NestedSources;
  readonly answers: JournalAnswers;
}

/** Calls that the journal has no answer for are never answered. */
export function planScripts(
  options: PlanScriptsOptions,
  setting: CallSetting,
  script: PreparedScript,
): Promise<ScriptOutcome> {
  return run(options, { setting, place: TOP, order: [] }, script);
}

function run(
  options: PlanScriptsOptions,
  asking: AskingScript,
  { program, fileName }: PreparedScript,
): Promise<ScriptOutcome> {
  const { budget, limits, workerEntry: entry } = options;
  return runScript({
    entry,
    start: { type: "start", program, fileName, args: asking.setting.args, budget },
    limits,
    signal: new AbortController().signal,
    budget: () => budget,
    handlers: {
      call: (message) =>
        message.primitive === "workflow"
          ? nested(options, asking, message)
          : options.answers(asking, message),
      drop: () => {},
      phase: () => {},
      log: () => {},
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
  const answers: JournalAnswers = async (asking, inner) => {
    const value = await options.answers(asking, inner);
    lacks ||= value === undefined;
    return value;
  };
  const asking = { setting: { ...setting, args }, place, order: [...order, message.id] };
  const outcome = await run({ ...options, answers }, asking, script.prepared);
  if (lacks && outcome.kind === "failed" && outcome.error.code === "deadlock") return undefined;
  return nestedValue(name, outcome);
}
