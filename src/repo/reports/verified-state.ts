/** What ran on the files as they are now, and what did not. */
import { distinct } from "../analysis/guidance.ts";
import { hasPassed } from "../verification/records.ts";
import type { ReportParts } from "./context.ts";
import type { VerificationPlan } from "./shapes.ts";

export interface VerifiedState {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Commands of the plan that nobody ran on these files. */
  readonly open: readonly string[];
}

/** Sets what was run against a plan; commands that ran count whether they are in the plan or not. */
export function verifiedState(
  { standing }: ReportParts["verification"],
  { fast, safe, full }: VerificationPlan,
): VerifiedState {
  const passed = standing.filter(hasPassed).map(({ command }) => command);
  const failed = standing.filter((run) => !hasPassed(run)).map(({ command }) => command);
  const ran = new Set([...passed, ...failed]);
  const planned = distinct([...fast, ...safe, ...full]);
  return { passed, failed, open: planned.filter((command) => !ran.has(command)) };
}
