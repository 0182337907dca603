import { printable } from "../../../lib/printable.ts";
import type { GrepHit } from "../../../sessions/search/grep.ts";
import { shown } from "../text.ts";
import { type Highlight, highlighted, nearbyLines } from "./highlights.ts";

export function grepText(hits: readonly GrepHit[], highlight: Highlight): string {
  if (hits.length === 0) return "No message holds this text.";
  return hits
    .map((hit) =>
      [
        `${shown(hit.session_id)}:${hit.line_no} ${hit.role}/${shown(hit.kind)} — ${printable(hit.title)}`,
        ...nearbyLines(hit.before),
        `  ${highlighted(hit, highlight)}`,
        ...nearbyLines(hit.after),
      ].join("\n"),
    )
    .join("\n\n");
}
