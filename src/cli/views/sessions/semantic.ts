import { printable } from "../../../lib/printable.ts";
import type { EmbedOutcome } from "../../../sessions/embeddings/embed.ts";
import type { SemanticAnswer } from "../../../sessions/embeddings/semantic-hit.ts";
import { shown } from "../text.ts";

export function semanticText(hits: readonly SemanticAnswer[]): string {
  if (hits.length === 0) return "No sessions found.";
  return hits
    .map((hit) =>
      [
        `${hit.score.toFixed(4)} ${shown(hit.session_id)} ${hit.kind} — ${printable(hit.title)}`,
        `  cwd: ${shown(hit.cwd) || "-"} updated: ${hit.updated_at || "-"}`,
        `  ${printable(hit.snippet)}`,
      ].join("\n"),
    )
    .join("\n\n");
}

export function embedText({ embedded, model }: EmbedOutcome): string {
  return `Embedded ${embedded} session chunks with ${printable(model)}`;
}
