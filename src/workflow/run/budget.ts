/** What a run may spend: reserved before a call starts, settled when its cost is known. */
import { PalliumError, usageError } from "../../lib/errors.ts";
import { formatDollars, parseDollars, toDollars } from "../../lib/money.ts";
import type { BudgetView } from "../engine/protocol.ts";

const DEFAULT_ESTIMATE_MICROS = 10_000;

export interface Budget {
  readonly estimateMicros: number;
  /**
   * Reserves the estimate of one agent.
   * @throws PalliumError `budget_exhausted` when it no longer fits.
   */
  reserve(): Reservation;
  /** The reservation of a call that an earlier execution started; it is counted as spent already. */
  reopen(heldMicros: number): Reservation;
  /** Whether this much more than what is spent stays within the limit. */
  fits(costMicros: number): boolean;
  view(): BudgetView;
}

export interface Reservation {
  /** Replaces the estimate by the cost that was reported; without one the estimate stays. */
  settle(costMicros?: number): void;
  /** The call never started: nothing was spent. */
  cancel(): void;
}

/**
 * @param limitMicros absent for no limit; 0 allows nothing that may cost.
 * @param spentMicros spent by earlier executions.
 * @param estimate micro-dollars of one agent, or `"free"` where agents cost nothing, whatever is left.
 */
export function createBudget(
  limitMicros: number | undefined,
  spentMicros: number,
  estimate: number | "free",
): Budget {
  const estimateMicros = estimate === "free" ? 0 : estimate;
  let spent = spentMicros;
  let reserved = 0;
  return {
    estimateMicros,
    reserve() {
      const held = spent + reserved;
      if (
        estimate !== "free" &&
        limitMicros !== undefined &&
        (held >= limitMicros || held + estimateMicros > limitMicros)
      ) {
        throw new PalliumError(
          "budget_exhausted",
          `workflow budget exhausted: next agent would exceed ${formatDollars(limitMicros)} limit`,
          {
            fatal: true,
            hints: [
              "resume the run with a larger --max-budget-usd; finished agents are not paid again",
            ],
          },
        );
      }
      reserved += estimateMicros;
      let open = true;
      const close = (cost: number) => {
        if (!open) return;
        open = false;
        reserved -= estimateMicros;
        spent += cost;
      };
      return { settle: (cost = estimateMicros) => close(cost), cancel: () => close(0) };
    },
    reopen(held) {
      let open = true;
      const close = (cost: number) => {
        if (!open) return;
        open = false;
        spent += cost - held;
      };
      return { settle: (cost = held) => close(cost), cancel: () => close(0) };
    },
    fits: (cost) => limitMicros === undefined || spent + cost <= limitMicros,
    view: () => ({
      total: limitMicros === undefined ? null : toDollars(limitMicros),
      spent: toDollars(spent),
    }),
  };
}

/** Reads a `--max-budget-usd` value; empty or absent means no limit. */
export function parseBudget(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const micros = parseDollars(text);
  if (micros === undefined) {
    throw usageError(
      `invalid max budget usd "${text}"`,
      "give a plain decimal number of US dollars, such as 1.50; 0 allows no paid agent",
    );
  }
  return micros;
}

/** The flat estimate per agent of `PALLIUM_WORKFLOW_AGENT_COST_USD`; 0.01 when unset or no number. */
export function agentEstimate(variables: Readonly<Record<string, string>>): number {
  return parseDollars(variables.PALLIUM_WORKFLOW_AGENT_COST_USD ?? "") ?? DEFAULT_ESTIMATE_MICROS;
}
