/** `sessions search --hybrid`: what was found by words and what was found by meaning, as one list. */
import { PalliumError } from "../../lib/errors.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { IN_BRIEF, IN_FULL, sessionRecords } from "../reports/session-record.ts";
import { messagesAround } from "../search/context.ts";
import { markerOf } from "../search/marked-words.ts";
import { parseQuery } from "../search/query.ts";
import {
  type FoundSession,
  type SearchHit,
  type SearchRequest,
  searchSessions,
} from "../search/search.ts";
import { type Snippet, snippetOf } from "../search/snippet.ts";
import type { EmbeddingPowers } from "./embedding-powers.ts";
import { fuse } from "./fuse.ts";
import { nearText } from "./near-text.ts";
import { type NearChunk, nearestSessions } from "./nearest.ts";
import { askModel, nothingEmbedded } from "./question.ts";

export interface HybridRequest extends SearchRequest {
  readonly model?: string;
}

export interface FusedSession extends FoundSession {
  /** The larger the better. */
  readonly score: number;
  /** Where each way of searching has it, such as `lexical:1` and `vector:3`. */
  readonly signals: readonly string[];
}

/** Sessions of either list that are put together; those further down would not come up. */
const POOL = 50;

/** Where meaning cannot be asked for it says why, and what words find is the answer. */
export async function hybridSearch(
  powers: EmbeddingPowers,
  { model, ...request }: HybridRequest,
): Promise<readonly FusedSession[]> {
  const { database, observer } = powers;
  const most = Math.max(POOL, request.limit);
  const near = (await nearSessions(powers, request, model)).slice(0, most);
  const found = searchSessions(database, { ...request, limit: most }, observer.warn);
  const byKey = new Map(found.map((session) => [sessionKeyOf(database, session), session]));
  const nearByKey = new Map(near.map((chunk) => [chunk.session, chunk]));
  const fused = fuse({ lexical: [...byKey.keys()], vector: [...nearByKey.keys()] });
  return fused.slice(0, request.limit).flatMap(({ key, ...rest }) => {
    const session = byKey.get(key) ?? byMeaning(database, request, nearByKey.get(key));
    return session === undefined ? [] : [{ ...session, ...rest }];
  });
}

async function nearSessions(
  powers: EmbeddingPowers,
  request: SearchRequest,
  model: string | undefined,
): Promise<readonly NearChunk[]> {
  const { database, observer, signal } = powers;
  if (request.role !== undefined) {
    observer.warn("searched by words alone: vectors do not tell who said what");
    return [];
  }
  try {
    const question = await askModel(powers, request.words, model);
    if (typeof question !== "string") {
      return nearestSessions(database, question.space, question.vector, request);
    }
    observer.warn(`searched by words alone: ${nothingEmbedded(question)}`);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PalliumError) || !error.code.startsWith("embedding")) throw error;
    observer.warn(`searched by words alone: ${error.message}`);
  }
  return [];
}

/** `undefined` where it is gone meanwhile, or has changed since it was embedded. */
function byMeaning(
  reader: Reader,
  { full, words, context = 0 }: SearchRequest,
  near: NearChunk | undefined,
): FoundSession | undefined {
  const found = near === undefined ? undefined : nearText(reader, near);
  if (found === undefined) return undefined;
  const extent = full === true ? IN_FULL : IN_BRIEF;
  const [record] = sessionRecords(reader, [found.session], extent);
  if (record === undefined) return undefined;
  const place = reader.get<Omit<SearchHit, keyof Snippet>>(
    "SELECT line_no, role, kind, timestamp FROM messages WHERE session = ? AND line_no = ?",
    found.session,
    found.line,
  );
  if (place === undefined) return { ...record, rank: 0, hits: [] };
  const mark = markerOf(parseQuery(words.join(" ")).terms);
  const around = context === 0 ? {} : messagesAround(reader, found.session, found.line, context);
  return { ...record, rank: 0, hits: [{ ...place, ...snippetOf(found.text, mark), ...around }] };
}

/** What tells sessions apart, as the store has it. */
function sessionKeyOf(
  reader: Reader,
  { machine, provider, id }: Pick<FoundSession, "machine" | "provider" | "id">,
): number {
  const row = reader.get<{ key: number }>(
    "SELECT key FROM sessions WHERE machine = ? AND provider = ? AND id = ?",
    machine,
    provider,
    id,
  );
  return row?.key ?? 0;
}
