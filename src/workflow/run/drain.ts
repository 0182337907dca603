/** Lets the calls at work finish and begins no other, so that a run can pause without losing what is paid for. */

export interface Drain {
  /** From now on no call begins. */
  request(): void;
  readonly requested: boolean;
  /** Goes on at once, or, while the run is drained, not before the signal is aborted, with its reason. */
  pass(signal: AbortSignal): Promise<void>;
  /** Does work that is let finish. */
  working<T>(work: () => Promise<T>): Promise<T>;
  /** A rest in the midst of work. While the run is drained it lasts until the signal is aborted. */
  resting<T>(rest: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits for something that is no work, such as what a person decides. */
  waiting<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * @param onDrained is called once calls are held back, or wait, and none is at work. A script that
 * still computes may come to its end instead.
 */
export function createDrain(onDrained: () => void): Drain {
  let requested = false;
  let drained = false;
  let working = 0;
  let idle = 0;

  function look(): void {
    if (!requested || drained || working > 0 || idle === 0) return;
    drained = true;
    onDrained();
  }

  async function waiting<T>(wait: () => Promise<T>): Promise<T> {
    idle += 1;
    look();
    try {
      return await wait();
    } finally {
      idle -= 1;
    }
  }

  return {
    get requested() {
      return requested;
    },
    request() {
      requested = true;
      look();
    },
    pass: async (signal) => {
      if (requested) await waiting(() => aborted(signal));
    },
    async working(work) {
      working += 1;
      try {
        return await work();
      } finally {
        working -= 1;
        look();
      }
    },
    async resting(rest, signal) {
      working -= 1;
      try {
        return await waiting(async () => {
          const rested = await rest();
          if (requested) await aborted(signal).catch(() => {});
          return rested;
        });
      } finally {
        working += 1;
      }
    },
    waiting,
  };
}

/** Rejects with the reason of a signal once it is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
