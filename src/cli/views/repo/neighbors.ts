import { counted } from "../../../lib/counted.ts";
import type { Related } from "../../../repo/analysis/related.ts";

export function neighborsText(neighbors: readonly Related[]): string {
  if (neighbors.length === 0) return "No related files found.";
  return ["Related files:", ...neighbors.map(line)].join("\n");
}

function line({ path, cochange_count, reasons }: Related): string {
  const why = cochange_count > 0 ? counted(cochange_count, "co-change") : reasons.join(", ");
  return `- ${path} (${why})`;
}
