/** Spaces of vectors, one for each model of each provider; distances mean something within one only. */
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";

export interface EmbeddingSpace {
  /** As `PALLIUM_EMBED_PROVIDER` has it. */
  readonly provider: string;
  readonly model: string;
}

export interface StoredSpace extends EmbeddingSpace {
  readonly key: number;
  /** Numbers in each of its vectors; 0 until there is one. */
  readonly dim: number;
  /** Only vectors of this one count. */
  readonly generation: number;
}

export function findSpace(
  reader: Reader,
  { provider, model }: EmbeddingSpace,
): StoredSpace | undefined {
  return reader.get<StoredSpace>(
    `SELECT key, provider, model, dim, generation FROM embedding_spaces
     WHERE provider = ? AND model = ?`,
    provider,
    model,
  );
}

/** The space, made where there is none. */
export function openSpace(tx: Transaction, space: EmbeddingSpace): StoredSpace {
  tx.run(
    `INSERT INTO embedding_spaces (provider, model, dim, generation) VALUES (?, ?, 0, 1)
     ON CONFLICT DO NOTHING`,
    space.provider,
    space.model,
  );
  const stored = findSpace(tx, space);
  if (stored === undefined) throw new Error("a space that was written is not there");
  return stored;
}

/** Whether anything was ever embedded. */
export function hasSpaces(reader: Reader): boolean {
  return reader.get("SELECT 1 FROM embedding_spaces LIMIT 1") !== undefined;
}

/** Pieces without a vector that counts in the space: what `sessions embed` would send. */
export function embeddingBacklog(reader: Reader, space: EmbeddingSpace): number {
  const stored = findSpace(reader, space);
  const row = reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM chunks WHERE NOT EXISTS (
       SELECT 1 FROM vectors WHERE space = ? AND chunk = chunks.key AND generation = ?)`,
    stored?.key ?? 0,
    stored?.generation ?? 0,
  );
  return row?.n ?? 0;
}

export interface EmbeddingCounts {
  /** Pieces that are or would be embedded; none before the first is. */
  readonly chunks: number;
  readonly embeddings: number;
  /** The largest first. */
  readonly models: readonly (EmbeddingSpace & { readonly dim: number; readonly count: number })[];
}

export function embeddingCounts(reader: Reader): EmbeddingCounts {
  const models = reader.all<EmbeddingCounts["models"][number]>(
    `SELECT space.provider, space.model, space.dim, count(*) AS count
     FROM vectors JOIN embedding_spaces AS space
       ON space.key = vectors.space AND space.generation = vectors.generation
     GROUP BY space.key ORDER BY count DESC, space.provider, space.model`,
  );
  return {
    chunks: reader.get<{ n: number }>("SELECT count(*) AS n FROM chunks")?.n ?? 0,
    embeddings: models.reduce((sum, { count }) => sum + count, 0),
    models,
  };
}
