import type { Related } from "../../../repo/analysis/related.ts";
import { pathItem } from "../text.ts";

/** The likeliest first, each with why. */
export function neighborsText(neighbors: readonly Related[]): string {
  if (neighbors.length === 0) return "No related files found.";
  return [
    "Related files:",
    ...neighbors.flatMap(({ path, reasons }) => pathItem(path, reasons)),
  ].join("\n");
}
