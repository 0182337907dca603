import { Group, type GroupPowers, readItems } from "./groups.ts";

type Parallel = (items: unknown, callback?: unknown) => Promise<unknown[]>;

/**
 * `parallel(items, fn?)`: calls `fn(item, index)` for every item, or the items themselves where
 * they are functions, all at once, and waits for all of them. A failed item becomes `null`.
 */
export function createParallel(powers: GroupPowers): Parallel {
  return async (items, callback) => {
    const list = readItems("parallel", items);
    if (callback !== undefined && typeof callback !== "function") {
      throw new TypeError("parallel callback must be a function");
    }
    const group = new Group(powers, "parallel");
    const steps = list.map((item, index) =>
      group.step(`[${index}]`, `parallel item ${index}`, () => {
        if (callback !== undefined) return callback(item, index);
        return typeof item === "function" ? item() : item;
      }),
    );
    const results = await Promise.all(steps);
    group.rethrowFatal();
    return results.map((result) => (result.dropped ? null : result.value));
  };
}
