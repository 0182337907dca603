/** The short form of `scripts/labs/kill-lab.ts`. */
import { expect, test } from "bun:test";
import { killLab } from "../support/labs/kill-lab.ts";

test("no call is started twice, lost or left behind by a runner that is killed at random (C5)", async () => {
  const { kills, violations } = await killLab(10);
  expect({ kills, violations }).toEqual({ kills: 10, violations: [] });
}, 60_000);
