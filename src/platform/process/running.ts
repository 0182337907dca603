/** Programs that run, to be waited for. */
export interface Running {
  /** @param gone settles, either way, once the program is gone. */
  add(gone: Promise<unknown>): void;
  /** Settles once none of them runs. */
  idle(): Promise<void>;
}

/** @param whole holds these among others. */
export function createRunning(whole?: Running): Running {
  const programs = new Set<Promise<unknown>>();
  return {
    add: (gone) => {
      whole?.add(gone);
      const settled: Promise<void> = gone.then(
        () => void programs.delete(settled),
        () => void programs.delete(settled),
      );
      programs.add(settled);
    },
    idle: async () => {
      while (programs.size > 0) await Promise.all(programs);
    },
  };
}
