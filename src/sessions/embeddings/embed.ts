/** `sessions embed`: has a model make a vector for every piece of text that lacks one. */
import { counted } from "../../lib/counted.ts";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import { sha256 } from "../../platform/hash.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { sessionKey } from "../reports/show.ts";
import { distrustChunks, refreshChunks } from "./chunks.ts";
import type { EmbeddingPowers } from "./embedding-powers.ts";
import {
  type EmbeddingEndpoint,
  embeddingEndpoint,
  embeddingSpace,
  hostOf,
  requireKey,
} from "./endpoint.ts";
import { embeddingModel } from "./model.ts";
import { chunkText } from "./session-text.ts";
import { findSpace } from "./spaces.ts";
import {
  nextPending,
  type Pending,
  type PendingChunk,
  type PendingPlace,
  pendingSize,
  storeVectors,
} from "./vector-store.ts";

/** From one word on how far it is to the next. */
const PROGRESS_MS = 2000;

export interface EmbedRequest {
  /** Id of one session, or a part of it. */
  readonly session?: string;
  readonly model?: string;
  /** Most pieces. */
  readonly limit: number;
  /** Pieces that are sent together. */
  readonly batch_size: number;
  /** Nobody is asked whether text may leave this computer. */
  readonly yes?: boolean;
  /** Has every vector of the model made again; with all sessions only. */
  readonly anew?: boolean;
}

export interface EmbedOutcome {
  readonly embedded: number;
  /** The one that was asked. */
  readonly model: string;
  /** As it was given. */
  readonly session_id?: string;
}

/**
 * Each batch is stored when its vectors arrive; whatever ends the work, the next call goes on.
 * @throws PalliumError `embeddings_not_configured`, `embedding_declined`, `session_not_found`,
 *   `session_ambiguous`, and what the model's answer is worth.
 */
export async function embedSessions(
  powers: EmbeddingPowers,
  request: EmbedRequest,
): Promise<EmbedOutcome> {
  const { database, variables, signal } = powers;
  if (request.anew && request.session !== undefined) {
    throw usageError("vectors are made anew for all sessions; leave out --session");
  }
  const endpoint = embeddingEndpoint(variables);
  const named = embeddingSpace(variables, request.model);
  const session = request.session === undefined ? undefined : sessionKey(database, request.session);
  await refreshChunks(database, signal, session);
  const stored = findSpace(database, named)?.generation;
  const generation = stored === undefined ? 1 : stored + (request.anew ? 1 : 0);
  const pending: Pending = { space: { ...named, generation }, ...optional({ session }) };
  const size = pendingSize(database, pending, request.limit);
  const embedded =
    size.count === 0 ? 0 : await embedPending(powers, endpoint, pending, size, request);
  return { embedded, model: named.model, ...optional({ session_id: request.session }) };
}

async function embedPending(
  powers: EmbeddingPowers,
  endpoint: EmbeddingEndpoint,
  pending: Pending,
  size: { readonly count: number; readonly bytes: number },
  request: EmbedRequest,
): Promise<number> {
  const { database, clock, signal } = powers;
  requireKey(endpoint);
  await requireConsent(powers, endpoint, size, request.yes ?? false);
  const model = embeddingModel(powers, endpoint, pending.space.model);
  const batches = pendingBatches(database, pending, signal);
  const progress = progressOf(powers, size.count);
  let embedded = 0;
  while (embedded < request.limit) {
    const most = Math.min(request.batch_size, request.limit - embedded);
    const batch = await batches(most);
    if (batch.length === 0) break;
    const texts: string[] = [];
    for (const { text } of batch) texts.push(await powers.redact(text));
    const vectors = await model.embed(texts, signal);
    embedded += await storeVectors(database, pending.space, batch, vectors, clock.iso());
    progress(embedded);
  }
  return embedded;
}

/** Says now and then how far it is. */
function progressOf({ clock, observer }: EmbeddingPowers, of: number): (embedded: number) => void {
  let said = clock.monotonicMs();
  return (embedded) => {
    if (clock.monotonicMs() - said < PROGRESS_MS) return;
    said = clock.monotonicMs();
    observer.notice(`embedded ${embedded} of ${counted(of, "piece")}`);
  };
}

/** Says what goes where before anything goes; on a terminal it asks, unless pallium was told where. */
async function requireConsent(
  { observer, signal }: EmbeddingPowers,
  endpoint: EmbeddingEndpoint,
  { count, bytes }: { readonly count: number; readonly bytes: number },
  yes: boolean,
): Promise<void> {
  if (endpoint.isLocal) return;
  const host = hostOf(endpoint);
  const megabytes = (bytes / 1_000_000).toFixed(1);
  const what = `${counted(count, "piece")} of what was said in sessions (${megabytes} MB, secrets taken out)`;
  observer.notice(`sending ${what} to ${host}`);
  if (yes || endpoint.isChosen) return;
  const allowed = await observer.confirm?.(`Send ${what} to ${host}?`, signal);
  signal.throwIfAborted();
  if (allowed !== false) return;
  throw new PalliumError("embedding_declined", `nothing was sent to ${host}`, {
    hints: [
      "with --yes nobody is asked; a model on this computer gets no question either: PALLIUM_EMBED_PROVIDER=ollama",
    ],
  });
}

interface ReadChunk extends PendingChunk {
  readonly text: string;
}

/** Reads the pieces in their order; a session that is not what was cut is cut again. */
function pendingBatches(
  database: Database,
  pending: Pending,
  signal: AbortSignal,
): (most: number) => Promise<readonly ReadChunk[]> {
  let after: PendingPlace = { session: 0, seq: -1 };
  const cutAgain = new Set<number>();
  return async (most) => {
    for (;;) {
      const batch: ReadChunk[] = [];
      let changed: number | undefined;
      for (const chunk of nextPending(database, pending, after, most)) {
        const text = chunkText(database, chunk.session, chunk);
        if (sha256(text) === chunk.text_hash) batch.push({ ...chunk, text });
        else changed = chunk.session;
        if (changed !== undefined) break;
      }
      after = batch.at(-1) ?? after;
      if (batch.length > 0 || changed === undefined) return batch;
      if (cutAgain.has(changed)) {
        // It is being written right now; the next embed finds it at rest.
        after = { session: changed, seq: Number.MAX_SAFE_INTEGER };
        continue;
      }
      cutAgain.add(changed);
      await distrustChunks(database, changed);
      await refreshChunks(database, signal, changed);
      after = { session: changed, seq: -1 };
    }
  };
}
