/** Secrets of every kind, drawn anew for every seed. */
import { ADDRESSES } from "./addresses.ts";
import { ASSIGNMENTS } from "./assignments.ts";
import { carried } from "./carriers.ts";
import { createDraw, type Draw } from "./draw.ts";
import { KEYS } from "./keys.ts";
import type { Sample } from "./sample.ts";
import { TOKENS } from "./tokens.ts";

const KINDS: Readonly<Record<string, (draw: Draw) => Sample>> = {
  ...Object.fromEntries(
    Object.entries(TOKENS).map(([kind, make]) => [
      `token: ${kind}`,
      (draw: Draw) => carried(draw, make(draw)),
    ]),
  ),
  ...ADDRESSES,
  ...ASSIGNMENTS,
  ...KEYS,
};

export interface SeededSample extends Sample {
  readonly kind: string;
}

/** As many of each kind as asked for. */
export function seededSamples(seed: number, ofEach = 1): readonly SeededSample[] {
  return Object.entries(KINDS).flatMap(([kind, make], index) => {
    const draw = createDraw(seed * 1000 + index);
    return Array.from({ length: ofEach }, () => ({ kind, ...make(draw) }));
  });
}
