/** What session memory does with a model of embeddings; none of it loads before it is asked for. */
import { sleep } from "../../platform/sleep.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import { interruptible } from "../interruptible.ts";
import type { SessionObserver, SessionPowers } from "../powers.ts";
import type { EmbedOutcome, EmbedRequest } from "./embed.ts";
import type { EmbeddingPowers } from "./embedding-powers.ts";
import type { FusedSession, HybridRequest } from "./hybrid.ts";
import type { SemanticHit, SemanticRequest } from "./semantic-hit.ts";

export interface WithModel {
  embed(request: EmbedRequest): Promise<EmbedOutcome>;
  semantic(request: SemanticRequest): Promise<readonly SemanticHit[]>;
  hybrid(request: HybridRequest): Promise<readonly FusedSession[]>;
}

const EMBED_INTERRUPTED =
  "what was embedded is kept; the next pallium sessions embed goes on from there";
const ASK_AGAIN = "ask again";
/** Of rules that look at the name of a file none applies. */
const NAME = "transcript.jsonl";

export function withModel(
  { environment, clock }: SessionPowers,
  database: Database,
  observer: SessionObserver,
): WithModel {
  const scanner = createSecretScanner();
  const powers = (signal: AbortSignal): EmbeddingPowers => ({
    database,
    clock,
    variables: environment.variables,
    observer,
    signal,
    now: clock.now,
    sleep,
    random: Math.random,
    redact: (text) => scanner.redact(text, NAME),
    detail: observer.detail,
  });
  return {
    embed: async (request) => {
      const { embedSessions } = await import("./embed.ts");
      return interruptible(observer, EMBED_INTERRUPTED, (signal) =>
        embedSessions(powers(signal), request),
      );
    },
    semantic: async (request) => {
      const { semanticSearch } = await import("./semantic.ts");
      return interruptible(observer, ASK_AGAIN, (signal) =>
        semanticSearch(powers(signal), request),
      );
    },
    hybrid: async (request) => {
      const { hybridSearch } = await import("./hybrid.ts");
      return interruptible(observer, ASK_AGAIN, (signal) => hybridSearch(powers(signal), request));
    },
  };
}
