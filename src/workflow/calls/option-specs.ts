/** Which options each primitive takes, and where among its arguments: for those who read calls, check scripts and write types. */
import { WORKING_MODES } from "../../providers/contract.ts";
import type { HostPrimitive } from "../engine/protocol.ts";
import type { OptionSpec } from "./options.ts";

/** What `agent` and those that are one under another name take. */
export const AGENT_OPTIONS = {
  label: "text",
  provider: "text",
  repo: "text",
  mode: "text",
  isolation: "text",
  schema: "schema",
  model: "text",
  timeout_seconds: "seconds",
  network: "boolean",
  phase: "text",
  agent_type: "text",
  effort: "text",
  include_ignored: "texts",
} as const satisfies OptionSpec;

export const CHECK_OPTIONS = {
  label: "text",
  provider: "text",
  model: "text",
  schema: "schema",
  timeout_seconds: "seconds",
} as const satisfies OptionSpec;

export const GATE_OPTIONS = {
  label: "text",
  provider: "text",
  model: "text",
  mode: "text",
  criteria: "text",
  fail_on_deny: "boolean",
  manual: "boolean",
  timeout_seconds: "seconds",
} as const satisfies OptionSpec;

export const UNTIL_GREEN_OPTIONS = {
  max_rounds: "count",
  label: "text",
  provider: "text",
  model: "text",
  fix_model: "text",
  effort: "text",
  apply: "text",
} as const satisfies OptionSpec;

export const VERIFY_OPTIONS = {
  tier: "text",
  base: "text",
  command: "text",
  timeout_seconds: "seconds",
  keep_going: "boolean",
  dry_run: "boolean",
} as const satisfies OptionSpec;
export const REVIEW_OPTIONS = { base: "text", staged: "boolean" } as const satisfies OptionSpec;
export const HANDOFF_OPTIONS = { base: "text" } as const satisfies OptionSpec;
export const TASK_OPTIONS = { expires: "text" } as const satisfies OptionSpec;

export const AGENT_MODES: readonly string[] = ["read-only", ...WORKING_MODES];
export const ISOLATIONS: readonly string[] = ["worktree"];
/** When what a loop came to is merged with the other edits. */
export const APPLY_WORDS: readonly string[] = ["green", "always"];

export interface OptionsOfCall {
  readonly spec: OptionSpec;
  /** Index of the argument that holds them; `last` where it is the last one, if that is an object. */
  readonly at: number | "last";
}

/** Absent: primitives that take none, and take objects for what they are. */
export const OPTIONS_OF_CALLS: Readonly<Partial<Record<HostPrimitive, OptionsOfCall>>> = {
  agent: { spec: AGENT_OPTIONS, at: 1 },
  check: { spec: CHECK_OPTIONS, at: 1 },
  gate: { spec: GATE_OPTIONS, at: "last" },
  "coordinator.replan": { spec: AGENT_OPTIONS, at: 1 },
  "verify.untilGreen": { spec: UNTIL_GREEN_OPTIONS, at: 1 },
  "pallium.verify": { spec: VERIFY_OPTIONS, at: "last" },
  "pallium.review": { spec: REVIEW_OPTIONS, at: "last" },
  "pallium.handoff": { spec: HANDOFF_OPTIONS, at: "last" },
  "pallium.explain": { spec: {}, at: "last" },
  "pallium.safe": { spec: {}, at: "last" },
  "pallium.plan": { spec: {}, at: "last" },
  "pallium.changedNow": { spec: {}, at: "last" },
  "pallium.preflight": { spec: {}, at: "last" },
  "pallium.task.start": { spec: TASK_OPTIONS, at: "last" },
  "pallium.task.show": { spec: {}, at: "last" },
  "pallium.task.clear": { spec: {}, at: "last" },
};
