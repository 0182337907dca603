/** How many tokens a run may use, input and output together. */
import { PalliumError } from "../../lib/errors.ts";

export interface TokenBudget {
  /** @throws PalliumError `budget_exhausted` once the limit is reached. */
  assertLeft(): void;
  /** Whether an agent may be asked once so many more than what is counted are used. */
  fits(tokens: number): boolean;
  add(tokens: number): void;
}

/** @param limit absent for none; 0 allows no agent. @param used by earlier executions. */
export function createTokenBudget(limit: number | undefined, used: number): TokenBudget {
  let sum = used;
  return {
    assertLeft() {
      if (limit === undefined || sum < limit) return;
      throw new PalliumError(
        "budget_exhausted",
        `workflow token budget exhausted: ${sum} tokens used of ${limit}`,
        {
          fatal: true,
          hints: ["resume the run with a larger --max-tokens; finished agents are not paid again"],
        },
      );
    },
    fits: (tokens) => limit === undefined || sum + tokens < limit,
    add: (tokens) => {
      sum += tokens;
    },
  };
}
