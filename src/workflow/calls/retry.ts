/** Tries a call again whose provider was busy: bounded, ever later, or when the provider says. */
import { optional } from "../../lib/optional.ts";
import type { ProviderFailure, ProviderResult, Usage } from "../../providers/contract.ts";
import { namedDurationMs } from "../../providers/quota-reset.ts";
import { mergeUsage } from "../../providers/usage.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** A provider that wants to be left alone for longer is not busy but out of service. */
const LONGEST_NAMED_WAIT_MS = 15 * 60_000;

export interface RetryOptions {
  /** Asks once; `attempt` counts from 0, `last` is how those before it ended. */
  readonly ask: (attempt: number, last?: ProviderResult) => Promise<ProviderResult>;
  readonly retries: number;
  /** Milliseconds that are left for the call. */
  readonly leftMs: () => number;
  /**
   * Waits, and for its turn after that; less when the run is interrupted or the call's time is up.
   * Resolves with whether it is its turn.
   */
  readonly wait: (ms: number) => Promise<boolean>;
  /** Whether the run can pay for one more attempt, after so much was used. */
  readonly affordsMore: (used: Usage | undefined) => boolean;
  readonly isInterrupted: () => boolean;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly notice: (line: string) => void;
}

export interface Asked {
  /** With the usage of every attempt. */
  readonly answer: ProviderResult;
  readonly attempts: number;
}

/** A wait that would outlast the call's time is not begun: the failure stands. */
export async function askWithRetries(options: RetryOptions): Promise<Asked> {
  let answer = await options.ask(0);
  for (let attempts = 1; ; attempts += 1) {
    if (
      answer.ok ||
      !isTransient(answer) ||
      attempts > options.retries ||
      options.isInterrupted()
    ) {
      return { answer, attempts };
    }
    const wait = namedWaitMs(answer) ?? backoffMs(attempts, options.random());
    if (wait >= options.leftMs() || wait > LONGEST_NAMED_WAIT_MS) return { answer, attempts };
    if (!options.affordsMore(answer.usage)) return { answer: unaffordable(answer), attempts };
    const [reason] = answer.message.split("\n");
    options.notice(
      `is tried again in ${seconds(wait)} s (${attempts}/${options.retries}): ${reason}`,
    );
    const isItsTurn = await options.wait(wait);
    if (options.isInterrupted()) {
      return { answer: { ...answer, outcome: "cancelled" }, attempts };
    }
    if (!isItsTurn) return { answer, attempts };
    if (!options.affordsMore(answer.usage)) return { answer: unaffordable(answer), attempts };
    answer = afterEarlier(answer, await options.ask(attempts, answer));
  }
}

/** The later of two attempts, with the usage of both; one that says of no conversation left it as it was. */
export function afterEarlier(earlier: ProviderResult, later: ProviderResult): ProviderResult {
  const usage = mergeUsage(earlier.usage, later.usage);
  const session = later.session ?? (later.ok ? undefined : earlier.session);
  return { ...later, ...optional({ usage, session }) };
}

function unaffordable(answer: ProviderFailure): ProviderFailure {
  const message = `${answer.message}; workflow budget exhausted: it is not tried again`;
  return { ...answer, message };
}

function isTransient({ transient, outcome, usage }: ProviderFailure): boolean {
  return transient === true || (outcome === "failed" && usage?.retryAfterSeconds !== undefined);
}

function namedWaitMs({ usage, message }: ProviderFailure): number | undefined {
  const named = usage?.retryAfterSeconds;
  return named === undefined ? namedDurationMs(message) : named * 1000;
}

/** Doubles with each attempt, from 1 s to a minute; half of it is chance, so that calls spread. */
export function backoffMs(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return longest / 2 + (longest / 2) * random;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
