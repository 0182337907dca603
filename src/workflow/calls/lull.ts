/**
 * Knows when a script has asked for all that it can with the answers it has. A call whose record
 * counts only if others are made again waits until then: they may be asked for right behind it.
 */

/** Resolves after every call that a script makes with the answers sent so far; at once when it has ended. */
export type CaughtUp = () => Promise<void>;

export interface Lull {
  /** A call was made, or goes on: until it is at work, waits, or is answered, more may come of it. */
  enter(): void;
  leave(): void;
  /** A script runs, until what this returns is called. */
  watch(script: CaughtUp): () => void;
  /**
   * Waits, of a call that has entered, until something is so, or nothing more is asked for.
   * @param isMet is looked at whenever another call was answered or set to work.
   */
  until(isMet: () => boolean): Promise<void>;
}

interface Waiting {
  readonly isMet: () => boolean;
  readonly go: () => void;
}

export function createLull(): Lull {
  const scripts = new Set<CaughtUp>();
  const waiting = new Set<Waiting>();
  let active = 0;
  let entered = 0;

  const enter = () => {
    active += 1;
    entered += 1;
  };
  const release = (isDue: (one: Waiting) => boolean) => {
    for (const one of [...waiting].filter(isDue)) {
      waiting.delete(one);
      enter();
      one.go();
    }
  };
  const look = async () => {
    release(({ isMet }) => isMet());
    if (active > 0 || waiting.size === 0) return;
    const before = entered;
    // Answers are sent to scripts in reactions to the calls that have just left.
    await new Promise(setImmediate);
    await Promise.all([...scripts].map((caughtUp) => caughtUp()));
    if (entered === before) release(() => true);
  };
  const leave = () => {
    active -= 1;
    void look();
  };

  return {
    enter,
    leave,
    watch(script) {
      scripts.add(script);
      return () => scripts.delete(script);
    },
    until(isMet) {
      return new Promise((resolve) => {
        waiting.add({ isMet, go: resolve });
        leave();
      });
    },
  };
}
