/** Keeps a run from starting agents of a provider whose quota is used up, and pauses it when none is left. */
import { PalliumError } from "../../lib/errors.ts";

/** Error code of a run that pauses until a quota comes back. */
export const QUOTA_PAUSE = "provider_quota";

export interface Outage {
  readonly provider: string;
  /** When the quota comes back, where the provider said so. */
  readonly resumeAfter?: Date;
}

export interface QuotaPause extends Outage {
  readonly message: string;
}

export interface Breaker {
  /** Aborted when the run has to pause. */
  readonly signal: AbortSignal;
  /** What the run pauses for. */
  pause(): QuotaPause | undefined;
  /** The quota of a provider is used up, as its banner says. */
  open(provider: string, banner: string): void;
  isOpen(provider: string): boolean;
  /**
   * The first of these providers that has quota left.
   * @throws PalliumError `provider_quota`, fatal, after which the run pauses.
   */
  choose(providers: readonly string[]): string;
}

/** @param resetTime reads the time out of a banner. */
export function createBreaker(resetTime: (banner: string) => Date | undefined): Breaker {
  const outages = new Map<string, Outage>();
  const controller = new AbortController();
  let pause: QuotaPause | undefined;
  return {
    signal: controller.signal,
    pause: () => pause,
    open(provider, banner) {
      const resumeAfter = resetTime(banner);
      outages.set(provider, { provider, ...(resumeAfter === undefined ? {} : { resumeAfter }) });
    },
    isOpen: (provider) => outages.has(provider),
    choose(providers) {
      const free = providers.find((provider) => !outages.has(provider));
      if (free !== undefined) return free;
      const outage = firstBack(providers.flatMap((provider) => outages.get(provider) ?? []));
      pause ??= { ...outage, message: pauseText(outage) };
      const error = new PalliumError(QUOTA_PAUSE, pauseText(outage), {
        fatal: true,
        hints: ["resume the run once the quota is back, or name who stands in with --fallback"],
      });
      controller.abort(error);
      throw error;
    },
  };
}

/** Of several providers that are out, the one whose quota is known to come back first. */
function firstBack([first, ...rest]: readonly Outage[]): Outage {
  if (first === undefined) throw new Error("a call needs at least one provider");
  return rest.reduce((best, other) => (backAt(other) < backAt(best) ? other : best), first);
}

function backAt({ resumeAfter }: Outage): number {
  return resumeAfter?.getTime() ?? Number.POSITIVE_INFINITY;
}

function pauseText({ provider, resumeAfter }: Outage): string {
  const until =
    resumeAfter === undefined ? "it did not say until when" : `until ${resumeAfter.toISOString()}`;
  return `the quota of provider "${provider}" is used up, ${until}`;
}
