import { describe, expect, test } from "bun:test";
import { createSlots, type Slot } from "../../../../src/workflow/run/slots.ts";

const NEVER = new AbortController().signal;

/** Takes slots one by one and keeps, in order, who has got one. */
function takers(total: number, perProvider: ReadonlyMap<string, number> = new Map()) {
  const slots = createSlots(total, perProvider);
  const order: string[] = [];
  const take = async (name: string, provider = "p"): Promise<Slot> => {
    const slot = await slots.acquire(provider);
    order.push(name);
    return slot;
  };
  return { take, order };
}

/** All that is ready to go on has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a slot that is left during a wait", () => {
  test("serves another call meanwhile, of the provider's slots too", async () => {
    for (const perProvider of [new Map(), new Map([["p", 1]])]) {
      const { take, order } = takers(perProvider.size === 0 ? 1 : 9, perProvider);
      const first = await take("first");
      const wait = Promise.withResolvers<void>();
      const back = first.leaveDuring(() => wait.promise, NEVER);
      const second = await take("second");
      wait.resolve();
      await settled();
      void take("third");
      second.release();
      expect(await back).toBe(true);
      await settled();
      expect(order).toEqual(["first", "second"]);
      first.release();
      await settled();
      expect(order).toEqual(["first", "second", "third"]);
    }
  });

  test("is taken again before calls that have not begun, in the order of the waits' ends", async () => {
    const { take, order } = takers(2);
    const [first, second] = [await take("first"), await take("second")];
    const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const again = async (slot: Slot, wait: Promise<void>, name: string) => {
      await slot.leaveDuring(() => wait, NEVER);
      order.push(name);
    };
    void again(first, waits[0].promise, "first again");
    void again(second, waits[1].promise, "second again");
    const [third, fourth] = [await take("third"), await take("fourth")];
    void take("fifth");
    waits[1].resolve();
    await settled();
    waits[0].resolve();
    await settled();
    third.release();
    await settled();
    fourth.release();
    await settled();
    expect(order).toEqual(["first", "second", "third", "fourth", "second again", "first again"]);
  });

  test("is not taken again once the signal is aborted, and goes to the next", async () => {
    const { take, order } = takers(1);
    const first = await take("first");
    const ending = new AbortController();
    const back = first.leaveDuring(async () => {}, ending.signal);
    const second = await take("second");
    void take("third");
    await settled();
    ending.abort();
    expect(await back).toBe(false);
    first.release();
    await settled();
    expect(order).toEqual(["first", "second"]);
    second.release();
    await settled();
    expect(order).toEqual(["first", "second", "third"]);
  });
});
