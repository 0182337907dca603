import type { SessionStats } from "../../../sessions/reports/stats.ts";

export function sessionStatsText(stats: SessionStats): string {
  const providers = Object.entries(stats.by_provider).map(([name, count]) => `${count} ${name}`);
  return [
    `sessions: ${stats.sessions}${providers.length === 0 ? "" : ` (${providers.join(", ")})`}`,
    `events: ${stats.events}`,
    `messages: ${stats.messages}`,
    `chunks: ${stats.chunks}`,
    `embeddings: ${stats.embeddings}`,
    `tokens: ${stats.tokens}`,
    `lines that are no records: ${stats.malformed_lines}`,
    `records of unknown types: ${stats.unknown_records}`,
    ...stats.models.map(
      ({ provider, model, dim, count }) => `- ${provider}/${model} dim=${dim} count=${count}`,
    ),
  ].join("\n");
}
