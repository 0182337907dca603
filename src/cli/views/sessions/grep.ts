import { printable } from "../../../lib/printable.ts";
import type { GrepHit } from "../../../sessions/search/grep.ts";

export function grepText(hits: readonly GrepHit[]): string {
  if (hits.length === 0) return "No message holds this text.";
  return hits
    .map(
      ({ session_id: id, line_no: line, role, kind, title, snippet }) =>
        `${id}:${line} ${role}/${kind} — ${printable(title)}\n  ${printable(snippet)}`,
    )
    .join("\n\n");
}
