import { describe, expect, test } from "bun:test";
import { createDrain } from "../../../../src/workflow/run/drain.ts";

const forever = () => new Promise<never>(() => {});

describe("a drain", () => {
  test("is over once calls are held back and none is at work, and says so once", async () => {
    let drained = 0;
    const drain = createDrain(() => {
      drained += 1;
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = drain.working(() => promise);
    await drain.pass(new AbortController().signal);
    drain.request();
    const end = new AbortController();
    const held = drain.pass(end.signal).catch((reason) => reason);
    void drain.pass(end.signal).catch(() => {});
    expect(drained).toBe(0);
    resolve();
    await work;
    expect(drained).toBe(1);
    end.abort("the end");
    expect(await held).toBe("the end");
  });

  test("does not wait for work that rests, which goes on no more", async () => {
    let drained = 0;
    const drain = createDrain(() => {
      drained += 1;
    });
    const end = new AbortController();
    const rest = Promise.withResolvers<string>();
    let rested = "no";
    const work = drain.working(async () => {
      rested = await drain.resting(() => rest.promise, end.signal);
    });
    drain.request();
    expect(drained).toBe(1);
    rest.resolve("yes");
    await new Promise(setImmediate);
    expect(rested).toBe("no");
    end.abort("the end");
    await work;
    expect(rested).toBe("yes");
  });

  test("is not over while other work goes on beside what rests", async () => {
    let drained = 0;
    const drain = createDrain(() => {
      drained += 1;
    });
    const other = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    void drain.working(() => drain.resting(forever, signal));
    const work = drain.working(() => other.promise);
    drain.request();
    expect(drained).toBe(0);
    other.resolve();
    await work;
    expect(drained).toBe(1);
  });

  test("waits for a script that computes: it may come to its end", () => {
    let drained = false;
    const drain = createDrain(() => {
      drained = true;
    });
    drain.request();
    expect(drained).toBe(false);
    void drain.waiting(forever);
    expect(drained).toBe(true);
  });
});
