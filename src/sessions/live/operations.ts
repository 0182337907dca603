/** What can be seen of sessions while they go on, as operations call it. */
import { PalliumError } from "../../lib/errors.ts";
import { programTable } from "../../platform/process/programs.ts";
import { sleep } from "../../platform/sleep.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import type { SessionObserver, SessionPowers } from "../powers.ts";
import { liveReport } from "./report.ts";
import type { LiveReport, LiveRequest } from "./types.ts";

export interface LiveOperations {
  live(request: LiveRequest, observer: SessionObserver): Promise<LiveReport>;
  /** The same again and again, until nobody listens any more or Ctrl-C or SIGTERM ends it. */
  watch(request: LiveRequest, observer: SessionObserver): AsyncIterable<LiveReport>;
}

const PAUSE_MS = 2000;

export function liveOperations({ environment, clock, machine }: SessionPowers): LiveOperations {
  const looks = (observer: SessionObserver): ((request: LiveRequest) => Promise<LiveReport>) => {
    const told = new Set<string>();
    const problem = (line: string): void => {
      if (!told.has(line)) observer.warn(line);
      told.add(line);
    };
    const scanner = createSecretScanner();
    const powers = { environment, clock, machine, programs: programTable, scanner, problem };
    return (request) => liveReport(powers, request);
  };
  return {
    live: (request, observer) => looks(observer)(request),
    watch: (request, observer) => watch(looks(observer), request, observer),
  };
}

/** @throws PalliumError `interrupted` when Ctrl-C or SIGTERM ends it. */
async function* watch(
  look: (request: LiveRequest) => Promise<LiveReport>,
  request: LiveRequest,
  observer: SessionObserver,
): AsyncGenerator<LiveReport> {
  const end = new AbortController();
  const gone = await observer.readerGone?.();
  const over = gone === undefined ? end.signal : AbortSignal.any([gone, end.signal]);
  let exitCode: number | undefined;
  const forget = observer.onInterrupt((asked) => {
    exitCode ??= EXIT_CODES[asked];
    end.abort();
  });
  try {
    while (!over.aborted) {
      yield await look(request);
      await sleep(PAUSE_MS, over);
    }
  } finally {
    forget();
  }
  if (exitCode !== undefined) {
    throw new PalliumError("interrupted", "the watch was ended; the sessions go on", {
      exitCode,
      hints: ["look once: pallium sessions live"],
    });
  }
}

/** Exit status, by what was asked. */
const EXIT_CODES = { pause: 130, stop: 143 } as const;
