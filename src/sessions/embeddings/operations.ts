/** What is done with vectors alone, as operations call it. */
import type { StoreAccess } from "../keeping/operations.ts";
import type { SessionObserver, SessionPowers } from "../powers.ts";
import type { EmbedOutcome, EmbedRequest } from "./embed.ts";
import { labelHit, type SemanticAnswer, type SemanticRequest } from "./semantic-hit.ts";
import { withModel } from "./with-model.ts";

interface InStore {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
}

export interface EmbeddingOperations {
  semantic(
    request: InStore & SemanticRequest,
    observer: SessionObserver,
  ): Promise<readonly SemanticAnswer[]>;
  embed(request: InStore & EmbedRequest, observer: SessionObserver): Promise<EmbedOutcome>;
}

export function embeddingOperations(
  powers: SessionPowers,
  { using, placed }: StoreAccess,
): EmbeddingOperations {
  return {
    semantic: async ({ db, ...request }, observer) => {
      const hits = await using(db, (database) =>
        withModel(powers, database, observer).semantic(placed(request)),
      );
      const now = powers.clock.now();
      return hits.map((hit) => labelHit(hit, now));
    },
    embed: ({ db, ...request }, observer) =>
      using(db, (database) => withModel(powers, database, observer).embed(request)),
  };
}
