/** Files that change together so regularly that one without the other is worth a question. */
import type { Related } from "./related.ts";

/** Fewer commits say nothing for certain. */
const LEAST_TOGETHER = 4;
/** The share that is beyond doubt must reach this. */
const LEAST_SHARE = 0.55;
/** A habit of long ago does not reach this share of the recent commits. */
const LEAST_RECENT_SHARE = 0.5;
/** One-sided 95 %. */
const Z = 1.645;

/** The share of `of` that `together` proves at the least, by Wilson's interval. */
export function provenShare(together: number, of: number): number {
  if (of === 0) return 0;
  const share = together / of;
  const z2 = Z * Z;
  const margin = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return Math.max(0, (share + z2 / (2 * of) - margin) / (1 + z2 / of));
}

/** Whether enough commits prove the habit, and recent ones keep it. */
export function isUsualPartner(related: Related): boolean {
  const { cochange_count, support, recent_confidence } = related;
  if (cochange_count < LEAST_TOGETHER || recent_confidence < LEAST_RECENT_SHARE) return false;
  return provenShare(cochange_count, support) >= LEAST_SHARE;
}
