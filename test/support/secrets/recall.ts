/** How many of the secrets that were put into a patch are found. */
import type { SecretFinding } from "../../../src/secrets/finding.ts";
import type { PlacedSample } from "./patches.ts";

export interface KindRecall {
  readonly kind: string;
  readonly found: number;
  readonly total: number;
}

/** Those of which no finding names a line. */
export function missedOf(
  placed: readonly PlacedSample[],
  findings: readonly SecretFinding[],
): readonly PlacedSample[] {
  const byFile = Map.groupBy(findings, ({ file }) => file);
  return placed.filter(
    ({ file, firstLine, lastLine }) =>
      !byFile.get(file)?.some(({ line }) => line >= firstLine && line <= lastLine),
  );
}

export function recallByKind(
  placed: readonly PlacedSample[],
  findings: readonly SecretFinding[],
): readonly KindRecall[] {
  const missed = Map.groupBy(missedOf(placed, findings), ({ kind }) => kind);
  return [...Map.groupBy(placed, ({ kind }) => kind)].map(([kind, { length: total }]) => ({
    kind,
    found: total - (missed.get(kind)?.length ?? 0),
    total,
  }));
}
