/** Keeps rejections from ending the worker, and remembers those that nothing has handled. */
export interface Rejections {
  /** Reasons of rejected promises without a handler, oldest first; the first few. */
  unhandled(): readonly unknown[];
}

const KEPT = 10;

export function keepRejections(): Rejections {
  const reasons = new Map<Promise<unknown>, unknown>();
  process.on("unhandledRejection", (reason, promise) => {
    if (reasons.size < KEPT) reasons.set(promise, reason);
  });
  process.on("rejectionHandled", (promise) => reasons.delete(promise));
  return { unhandled: () => [...reasons.values()] };
}
