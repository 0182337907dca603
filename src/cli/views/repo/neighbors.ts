import type { Related } from "../../../repo/analysis/related.ts";

export function neighborsText(neighbors: readonly Related[]): string {
  if (neighbors.length === 0) return "No related files found.";
  return ["Related files:", ...neighbors.map(line)].join("\n");
}

function line({ path, cochange_count, reasons }: Related): string {
  const why = cochange_count > 0 ? `${cochange_count} co-changes` : reasons.join(", ");
  return `- ${path} (${why})`;
}
