import { expect, test } from "bun:test";
import { watchPeakMemory } from "../../support/peak-memory.ts";

test("what a parent held when it started a process counts for nothing", async () => {
  const held = Buffer.alloc(300_000_000, 1);
  const child = Bun.spawn(["sleep", "0.2"]);
  const memory = watchPeakMemory(child.pid);
  await child.exited;
  expect(memory.stop()).toBeLessThan(100_000_000);
  expect(held.at(-1)).toBe(1);
});
