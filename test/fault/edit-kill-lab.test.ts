/** The short form of `scripts/labs/kill-lab.ts --edits`. */
import { expect, test } from "bun:test";
import { editKillLab } from "../support/labs/edit-kill-lab.ts";

test("no edit is lost or made in vain, and nothing is left, whenever a runner is killed (C5, D4, P5, P8)", async () => {
  const { kills, violations } = await editKillLab(4, 302);
  expect(violations).toEqual([]);
  // A revert at the end may be killed besides.
  expect(kills).toBeGreaterThanOrEqual(4);
}, 120_000);
