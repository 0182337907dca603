/** Which pieces lack a vector in a space, and vectors that are written to it. */
import { PalliumError } from "../../lib/errors.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { ChunkKind } from "./session-text.ts";
import { type EmbeddingSpace, openSpace, type StoredSpace } from "./spaces.ts";
import { vectorBytes } from "./vectors.ts";

export interface PendingChunk {
  readonly key: number;
  readonly session: number;
  readonly seq: number;
  readonly kind: ChunkKind;
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly text_hash: string;
}

/** Behind which piece to go on. */
export interface PendingPlace {
  readonly session: number;
  readonly seq: number;
}

/** A space, and which of its vectors count; it may be one that begins with the first of them. */
export interface SpaceGeneration extends EmbeddingSpace {
  readonly generation: number;
}

export interface Pending {
  readonly space: SpaceGeneration;
  /** Key of the session that it is about; absent for all. */
  readonly session?: number;
}

const IS_PENDING = `NOT EXISTS (
  SELECT 1 FROM vectors WHERE space =
      (SELECT key FROM embedding_spaces WHERE provider = ? AND model = ?)
    AND chunk = chunks.key AND generation = ?)
  AND (? IS NULL OR chunks.session = ?)`;

function pendingParams({ space, session = undefined }: Pending) {
  const { provider, model, generation } = space;
  return [provider, model, generation, session ?? null, session ?? null] as const;
}

/** How many pieces are without a vector, and their size, up to a limit. */
export function pendingSize(
  reader: Reader,
  pending: Pending,
  limit: number,
): { readonly count: number; readonly bytes: number } {
  const row = reader.get<{ count: number; bytes: number | null }>(
    `SELECT count(*) AS count, sum(bytes) AS bytes FROM
       (SELECT bytes FROM chunks WHERE ${IS_PENDING} ORDER BY session, seq LIMIT ?)`,
    ...pendingParams(pending),
    limit,
  );
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 };
}

/** The next of them, session by session. */
export function nextPending(
  reader: Reader,
  pending: Pending,
  after: PendingPlace,
  limit: number,
): readonly PendingChunk[] {
  return reader.all<PendingChunk>(
    `SELECT key, session, seq, kind, line_no AS line, start AS offset, bytes, text_hash
     FROM chunks WHERE ${IS_PENDING} AND (session, seq) > (?, ?) ORDER BY session, seq LIMIT ?`,
    ...pendingParams(pending),
    after.session,
    after.seq,
    limit,
  );
}

/**
 * Writes the vectors of pieces, those left out that are gone meanwhile.
 * @returns how many were written.
 * @throws PalliumError `embedding_dimension`, `embedding_superseded`
 */
export async function storeVectors(
  database: Database,
  space: SpaceGeneration,
  chunks: readonly PendingChunk[],
  vectors: readonly Float32Array[],
  embeddedAt: string,
): Promise<number> {
  return database.write((tx) => {
    let written = 0;
    const stored = openSpace(tx, space);
    beginOrRequire(tx, stored, space.generation);
    for (const [place, chunk] of chunks.entries()) {
      const vector = vectors[place];
      if (vector === undefined) throw new Error("a text was sent and has no vector");
      requireDimension(tx, stored, vector.length);
      const { changes } = tx.run(
        `INSERT OR REPLACE INTO vectors (space, chunk, generation, embedded_at, vector)
         SELECT ?, key, ?, ?, ? FROM chunks WHERE key = ? AND text_hash = ?`,
        stored.key,
        space.generation,
        embeddedAt,
        vectorBytes(vector),
        chunk.key,
        chunk.text_hash,
      );
      written += changes;
    }
    return written;
  });
}

/** A generation begins with its first vectors, and not before: those before it go then. */
function beginOrRequire(
  tx: Transaction,
  { key, generation: current }: StoredSpace,
  wanted: number,
): void {
  if (current === wanted) return;
  if (current === wanted - 1) {
    tx.run("UPDATE embedding_spaces SET generation = ?, dim = 0 WHERE key = ?", wanted, key);
    tx.run("DELETE FROM vectors WHERE space = ?", key);
    return;
  }
  throw new PalliumError(
    "embedding_superseded",
    "another pallium sessions embed --anew began meanwhile",
    { hints: ["let it end; the vectors of this one do not count any more"] },
  );
}

/** The first vector of a space says how long the others are. */
function requireDimension(tx: Transaction, { key, ...space }: StoredSpace, dim: number): void {
  tx.run("UPDATE embedding_spaces SET dim = ? WHERE key = ? AND dim = 0", dim, key);
  const stored = tx.get<{ dim: number }>("SELECT dim FROM embedding_spaces WHERE key = ?", key);
  if (stored?.dim !== dim) throw wrongDimension(space, stored?.dim ?? 0, dim);
}

export function wrongDimension(
  { provider, model }: EmbeddingSpace,
  stored: number,
  dim: number,
): PalliumError {
  return new PalliumError(
    "embedding_dimension",
    `${provider}/${model} gives vectors of ${dim} numbers, and those stored of it have ${stored}`,
    {
      hints: [
        "another model answers under this name, or another address does: look at PALLIUM_EMBED_BASE_URL",
        "to make all vectors of it anew: pallium sessions embed --anew",
      ],
    },
  );
}
