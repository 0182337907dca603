import type { Reader } from "../../platform/sqlite/database.ts";
import { type EmbeddingCounts, embeddingCounts } from "../embeddings/spaces.ts";

export interface SessionStats extends EmbeddingCounts {
  readonly sessions: number;
  /** Records of transcripts. */
  readonly events: number;
  /** Each once, whatever number of forks holds it. */
  readonly messages: number;
  readonly by_provider: Readonly<Record<string, number>>;
  /** Each answer of a model once. */
  readonly tokens: number;
  /** Lines of transcripts that are no records. */
  readonly malformed_lines: number;
  /** Records that no reader knows; they are kept as they are. */
  readonly unknown_records: number;
}

export function sessionStats(reader: Reader): SessionStats {
  const count = (sql: string): number => reader.get<{ n: number | null }>(sql)?.n ?? 0;
  const byProvider = reader.all<{ provider: string; n: number }>(
    "SELECT provider, count(*) AS n FROM sessions GROUP BY provider ORDER BY provider",
  );
  return {
    sessions: count("SELECT count(*) AS n FROM sessions"),
    events: count("SELECT sum(value) AS n FROM sessions, json_each(event_counts)"),
    messages: count("SELECT count(*) AS n FROM messages"),
    ...embeddingCounts(reader),
    by_provider: Object.fromEntries(byProvider.map(({ provider, n }) => [provider, n])),
    tokens: count("SELECT sum(tokens) AS n FROM usage"),
    malformed_lines: count("SELECT sum(malformed) AS n FROM sources"),
    unknown_records: count("SELECT count(*) AS n FROM unknown_records"),
  };
}
