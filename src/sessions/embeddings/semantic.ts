/** `sessions semantic`: sessions by what was meant in them. */
import { oneLine } from "../../lib/one-line.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { TRANSCRIPT_PATH } from "../reports/transcript-path.ts";
import type { EmbeddingPowers } from "./embedding-powers.ts";
import { nearText } from "./near-text.ts";
import { type NearChunk, nearestSessions } from "./nearest.ts";
import { askModel, nothingEmbedded } from "./question.ts";
import type { SemanticHit, SemanticRequest } from "./semantic-hit.ts";

const SNIPPET_LENGTH = 600;
const TITLE_LENGTH = 120;

/** @throws PalliumError as `askModel` does. */
export async function semanticSearch(
  powers: EmbeddingPowers,
  { words, limit, model, ...filter }: SemanticRequest,
): Promise<readonly SemanticHit[]> {
  const { database, observer } = powers;
  const question = await askModel(powers, words, model);
  if (typeof question === "string") {
    observer.warn(nothingEmbedded(question));
    return [];
  }
  const hits: SemanticHit[] = [];
  for (const near of nearestSessions(database, question.space, question.vector, filter)) {
    if (hits.length >= limit) break;
    const hit = asHit(database, near);
    if (hit !== undefined) hits.push(hit);
  }
  return hits;
}

type Row = Omit<SemanticHit, "score" | "chunk_id" | "kind" | "line_no" | "snippet">;

function asHit(reader: Reader, near: NearChunk): SemanticHit | undefined {
  const found = nearText(reader, near);
  const row = reader.get<Row>(
    `SELECT id AS session_id, coalesce(nullif(title, ''), nullif(first_user_message, ''), id) AS title,
       cwd, updated_at, provider, machine, ${TRANSCRIPT_PATH} AS path
     FROM sessions WHERE key = ?`,
    near.session,
  );
  if (found === undefined || row === undefined) return undefined;
  return {
    ...row,
    score: near.score,
    chunk_id: `${row.session_id}:${String(found.seq).padStart(4, "0")}`,
    kind: found.kind,
    line_no: found.line,
    title: oneLine(row.title, TITLE_LENGTH),
    snippet: oneLine(found.text, SNIPPET_LENGTH),
  };
}
