/** Keeps calls from beginning while their provider is known to be busy. */

export interface CoolDowns {
  /**
   * A call waits because its provider is busy.
   * @returns what to call when it asks again or gives up.
   */
  begin(provider: string): () => void;
  /**
   * What a call has to wait for before it begins: the first of its provider's waits to end.
   * @param waitedFor what the call's last wait resolved with, 0 before the first: a provider that has
   * told nobody since that it is busy is asked.
   */
  ahead(provider: string, waitedFor: number): Promise<number> | undefined;
}

interface Waits {
  readonly ends: Set<Promise<void>>;
  /** Number of its latest busy answer. */
  latest: number;
}

export function createCoolDowns(): CoolDowns {
  const byProvider = new Map<string, Waits>();
  let busyAnswers = 0;
  return {
    begin(provider) {
      busyAnswers += 1;
      const waits = byProvider.get(provider) ?? { ends: new Set<Promise<void>>(), latest: 0 };
      byProvider.set(provider, waits);
      waits.latest = busyAnswers;
      const { promise, resolve } = Promise.withResolvers<void>();
      waits.ends.add(promise);
      return () => {
        waits.ends.delete(promise);
        resolve();
      };
    },
    ahead(provider, waitedFor) {
      const waits = byProvider.get(provider);
      if (waits === undefined || waits.ends.size === 0 || waits.latest <= waitedFor)
        return undefined;
      return Promise.race(waits.ends).then(() => busyAnswers);
    },
  };
}
