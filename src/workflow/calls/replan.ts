/**
 * `coordinator.replan(goal, options?)`: asks an agent what to do next. It is told what the run has
 * come to so far, in a text that does not grow without bound and holds nothing of the clock.
 */
import { PalliumError } from "../../lib/errors.ts";
import type { Json, JsonObject } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import { sha256 } from "../../platform/hash.ts";
import { agentCall } from "./agent.ts";
import { agentRequest } from "./agent-request.ts";
import type { CallSite, PreparedCall } from "./call.ts";
import type { CallSetting } from "./execution.ts";
import type { FinishedCall } from "./finished.ts";
import { AGENT_OPTIONS } from "./option-specs.ts";
import { readOptions } from "./options.ts";

const REPLAN_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    decision: { type: "string" },
    next_steps: { type: "array", items: { type: "string" } },
    spawn: { type: "array", items: { type: "string" } },
    stop_reason: { type: "string" },
  },
  required: ["decision", "next_steps"],
};

/** Calls that the agent is told of, the latest first. With the limit of each text that is some 15 kB. */
const MOST_CALLS = 40;

/** @throws PalliumError when the call is refused. */
export async function prepareReplan(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  const goal = goalText(args[0]);
  const finished = setting.finished.before(site.scope);
  const { mode, isolation, label, schema, ...options } = readOptions(
    "coordinator.replan",
    AGENT_OPTIONS,
    args[1],
  );
  if ((mode ?? "read-only") !== "read-only" || (isolation ?? "") !== "") {
    setting.notice("coordinator.replan only reads: mode and isolation have no effect");
  }
  const request = await agentRequest(setting, [
    replanPrompt(goal, finished),
    optional({
      ...options,
      label: label || "coordinator-replan",
      schema: schema ?? REPLAN_SCHEMA,
    }) as JsonObject,
  ]);
  const { plan, ...call } = agentCall(setting, site, {
    ...request,
    primitive: "coordinator.replan",
  });
  return {
    ...call,
    plan: { ...plan, content: { ...plan.content, prompt: sameWork(goal, finished) } },
  };
}

function goalText(value: Json | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new PalliumError("goal_required", "coordinator.replan goal is required", {
    hints: ['say what the run is after: coordinator.replan("make the suite pass")'],
  });
}

/** What makes two of these calls the same work: the goal, and what had been done, in whichever order. */
function sameWork(goal: string, finished: readonly FinishedCall[]): string {
  const keys = finished.map(({ key }) => key).sort();
  return JSON.stringify([goal, sha256(JSON.stringify(keys))]);
}

function replanPrompt(goal: string, finished: readonly FinishedCall[]): string {
  const shown = finished.slice(-MOST_CALLS).toReversed();
  const left = finished.length - shown.length;
  return [
    "You coordinate an automated workflow and decide what it does next; you change nothing yourself.",
    `Goal: ${goal}`,
    shown.length === 0
      ? "Nothing has been done yet."
      : `What has been done so far, the latest first; long answers are cut:\n${shown.map(line).join("\n")}`,
    ...(left === 0 ? [] : [`${left} earlier calls are not shown.`]),
    "Answer with your decision and the next steps. Name the agents to spawn where more are needed, or a reason to stop.",
  ].join("\n\n");
}

function line({ label, outcome, text }: FinishedCall): string {
  return `- ${label === "" ? "(no label)" : label} [${outcome}]: ${text}`;
}
