import { describe, expect, test } from "bun:test";
import { createSemaphore } from "../../../src/lib/semaphore.ts";

describe("createSemaphore()", () => {
  test("lets in as many as there are slots and serves the others in order", async () => {
    const semaphore = createSemaphore(2);
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const release = await semaphore.acquire();
        order.push(index);
        inside += 1;
        most = Math.max(most, inside);
        await Promise.resolve();
        inside -= 1;
        release();
      }),
    );
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test("a slot given back twice is given back once", async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    let second = false;
    void semaphore.acquire().then(() => {
      second = true;
    });
    await Promise.resolve();
    expect(second).toBe(false);
  });
});
