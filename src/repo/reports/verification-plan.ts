/** The verification plan as reports show it. */
import { display, displayPlan } from "../verification/display.ts";
import { testCommands } from "../verification/plan.ts";
import type { Plan } from "../verification/types.ts";
import type { VerificationPlan } from "./shapes.ts";

const MOST_COMMANDS = 5;

export interface ShownPlan {
  readonly verification: VerificationPlan;
  /** The narrow ones first, at most five. */
  readonly test_commands: readonly string[];
  /** Different commands over all tiers. */
  readonly commands: number;
}

/** Commands become lines to paste at the root of the repository. */
export function showPlan(plan: Plan): ShownPlan {
  const commands = testCommands(plan);
  return {
    verification: displayPlan(plan),
    test_commands: commands.slice(0, MOST_COMMANDS).map(display),
    commands: commands.length,
  };
}
