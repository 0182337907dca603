/** The sessions whose pieces are nearest to a vector. */
import type { Reader, SqlValue } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import type { StoredSpace } from "./spaces.ts";
import { cosine, readVector } from "./vectors.ts";

export interface NearChunk {
  readonly chunk: number;
  readonly session: number;
  /** Cosine, from -1 to 1. */
  readonly score: number;
}

/** Vectors that are held at a time. */
const PAGE = 256;

export function hasVectors(reader: Reader, { key, generation }: StoredSpace): boolean {
  const sql = "SELECT 1 FROM vectors WHERE space = ? AND generation = ? LIMIT 1";
  return reader.get(sql, key, generation) !== undefined;
}

/**
 * The best piece of each session that the filter lets through, the nearest first. Every vector of the
 * space is looked at, a page at a time, and no text.
 */
export function nearestSessions(
  reader: Reader,
  space: StoredSpace,
  vector: Float32Array,
  filter: SessionFilter,
): readonly NearChunk[] {
  const best = new Map<number, NearChunk>();
  const chunks = candidates(reader, space, filter);
  for (let from = 0; from < chunks.length; from += PAGE) {
    const page = chunks.slice(from, from + PAGE);
    const sessions = new Map(page.map(({ chunk, session }) => [chunk, session]));
    for (const { chunk, bytes } of readPage(reader, space, [...sessions.keys()])) {
      const session = sessions.get(chunk);
      if (session === undefined) continue;
      const score = cosine(vector, readVector(bytes));
      const known = best.get(session);
      if (known === undefined || score > known.score) best.set(session, { chunk, session, score });
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.chunk - b.chunk);
}

function candidates(
  reader: Reader,
  { key, generation }: StoredSpace,
  filter: SessionFilter,
): readonly Omit<NearChunk, "score">[] {
  const { sql, params } = sessionCondition(filter);
  const values: readonly SqlValue[] = [key, generation, ...params];
  return reader.all(
    `SELECT chunks.key AS chunk, chunks.session
     FROM vectors JOIN chunks ON chunks.key = vectors.chunk
       JOIN sessions ON sessions.key = chunks.session
     WHERE vectors.space = ? AND vectors.generation = ? AND ${sql} ORDER BY chunks.key`,
    ...values,
  );
}

function readPage(
  reader: Reader,
  { key, generation }: StoredSpace,
  chunks: readonly number[],
): readonly { readonly chunk: number; readonly bytes: Uint8Array }[] {
  return reader.all(
    `SELECT chunk, vector AS bytes FROM vectors
     WHERE space = ? AND generation = ? AND chunk IN (SELECT value FROM json_each(?))`,
    key,
    generation,
    JSON.stringify(chunks),
  );
}
