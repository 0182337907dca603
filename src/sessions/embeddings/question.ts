/** A question as a vector of the space that is asked. */
import type { EmbeddingPowers } from "./embedding-powers.ts";
import { embeddingEndpoint, embeddingSpace, requireKey } from "./endpoint.ts";
import { embeddingModel } from "./model.ts";
import { hasVectors } from "./nearest.ts";
import { findSpace, type StoredSpace } from "./spaces.ts";
import { wrongDimension } from "./vector-store.ts";

export interface Question {
  readonly space: StoredSpace;
  readonly vector: Float32Array;
}

/**
 * Nothing is sent where nothing could be found.
 * @returns the name of the space where that has no vectors.
 * @throws PalliumError `embeddings_not_configured`, `embedding_dimension`, those of the model.
 */
export async function askModel(
  powers: EmbeddingPowers,
  words: readonly string[],
  asked: string | undefined,
): Promise<Question | string> {
  const { database, variables, signal } = powers;
  const endpoint = embeddingEndpoint(variables);
  requireKey(endpoint);
  const named = embeddingSpace(variables, asked);
  const space = findSpace(database, named);
  if (space === undefined || !hasVectors(database, space)) {
    return `${named.provider}/${named.model}`;
  }
  const text = await powers.redact(words.join(" "));
  const [vector] = await embeddingModel(powers, endpoint, named.model).embed([text], signal);
  if (vector === undefined) throw new Error("a text was sent and has no vector");
  if (vector.length !== space.dim) throw wrongDimension(named, space.dim, vector.length);
  return { space, vector };
}

/** @param space as its name has it. */
export function nothingEmbedded(space: string): string {
  return `nothing is embedded with ${space} yet; do it with: pallium sessions embed`;
}
