/** Edits of several workers at once come out byte for byte as a model says; more with the edit lab. */
import { expect, test } from "bun:test";
import { editCase } from "../support/labs/edit-lab.ts";

const CASES = 20;
const TIMEOUT_MS = 120_000;

test(
  "what workers do is taken, merged, applied and reverted as the model has it",
  async () => {
    let [workers, conflicts, applied] = [0, 0, 0];
    for (let seed = 1; seed <= CASES; seed++) {
      const done = await editCase(seed).catch((error) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
      workers += done.workers;
      conflicts += done.conflicts;
      applied += done.applied ? 1 : 0;
    }
    expect(workers).toBeGreaterThan(CASES);
    expect(conflicts).toBeGreaterThan(0);
    expect(applied).toBeGreaterThan(0);
    expect(applied).toBeLessThan(CASES);
  },
  TIMEOUT_MS,
);
