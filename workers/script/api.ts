/** The globals that a script has besides those of the language. */
import type { Json } from "../../src/lib/json.ts";
import { CALL_SITE, type WorkerMessage } from "../../src/workflow/engine/protocol.ts";
import type { Contexts } from "./contexts.ts";
import type { ScriptErrors } from "./errors.ts";
import type { HostCalls } from "./host-calls.ts";
import { logLine } from "./log.ts";
import { putUnder } from "./names.ts";
import { createMissingApi } from "./not-in-this-version.ts";
import { addPalliumApi } from "./pallium.ts";
import { createParallel } from "./parallel.ts";
import { createPhase } from "./phase.ts";
import { createPipeline } from "./pipeline.ts";

export interface ApiPowers {
  readonly args: Json;
  readonly calls: HostCalls;
  readonly contexts: Contexts;
  readonly errors: ScriptErrors;
  readonly logLineLimit: number;
  /** Whether the program has its calls say where they are. */
  readonly isMarked: boolean;
  post(message: WorkerMessage): void;
}

export type ScriptApi = Readonly<Record<string, unknown>>;

/** The whole of it is to be hardened before a script gets hold of it. */
export function createScriptApi({
  args,
  calls,
  contexts,
  errors,
  logLineLimit,
  isMarked,
  post,
}: ApiPowers): ScriptApi {
  const groups = { contexts, errors, drop: post };
  const named = createMissingApi(errors);
  addPalliumApi(named, calls);
  putUnder(named, "coordinator.replan", (...given) =>
    calls.call("coordinator.replan", ["goal", "options"], given),
  );
  putUnder(named, "verify.untilGreen", async (...given) =>
    calls.call(
      "verify.untilGreen",
      ["command", "options"],
      given,
      contexts.nextGroup("untilGreen"),
    ),
  );
  return {
    ...named,
    ...(isMarked ? { [CALL_SITE]: createCallSite(calls) } : {}),
    args,
    budget: createBudget(calls),
    agent: (...given: unknown[]) => calls.call("agent", ["prompt", "options"], given),
    gate: (...given: unknown[]) => calls.call("gate", ["name", "prompt", "options"], given),
    workflow: async (...given: unknown[]) =>
      calls.call("workflow", ["name", "args"], given, contexts.nextGroup("workflow")),
    check: (...given: unknown[]) => calls.call("check", ["command", "options"], given),
    parallel: createParallel(groups),
    pipeline: createPipeline(groups),
    phase: createPhase(contexts),
    log: (...parts: unknown[]) => post({ type: "log", text: logLine(parts, logLineLimit) }),
  };
}

/** What is no function is left to fail as it would. */
function createCallSite(
  calls: HostCalls,
): (callee: unknown, line: number, column: number) => unknown {
  return (callee, line, column) =>
    typeof callee === "function"
      ? (...given: unknown[]) => calls.from({ line, column }, () => callee(...given))
      : callee;
}

/** US dollars; `null` where there is no limit. */
function createBudget(calls: HostCalls): object {
  return {
    get total() {
      return calls.budget.total;
    },
    spent: () => calls.budget.spent,
    remaining: () => {
      const { total, spent } = calls.budget;
      return total === null ? null : Math.max(0, roundToMicros(total - spent));
    },
  };
}

/** Takes away what binary fractions add: 0.3 - 0.1 is 0.2 here. */
function roundToMicros(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
