/** Sessions in a store of their own, and what has a model on loopback embed them. */
import { systemClock } from "../../src/platform/clock.ts";
import { createSecretScanner } from "../../src/secrets/scanner.ts";
import { type EmbedRequest, embedSessions } from "../../src/sessions/embeddings/embed.ts";
import type { EmbeddingPowers } from "../../src/sessions/embeddings/embedding-powers.ts";
import {
  type EmbeddingAnswer,
  type EmbeddingServer,
  startEmbeddingServer,
} from "./embedding-server.ts";
import { type TestIndex, testIndex } from "./transcripts/index.ts";

export interface EmbeddingHome extends TestIndex {
  readonly server: EmbeddingServer;
  /** What was said of the work. */
  readonly said: string[];
  /** Powers with variables that name the server, and others added. */
  powers(more?: MorePowers): EmbeddingPowers;
  embed(request?: Partial<EmbedRequest>, more?: MorePowers): ReturnType<typeof embedSessions>;
  /** Vectors by the id of their session. */
  vectors(): Readonly<Record<string, number>>;
}

export interface MorePowers {
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly confirm?: (question: string) => Promise<boolean | undefined>;
}

/** One record of Claude Code. */
export function saidIn(id: string, text: string, uuid = `${id}-${text.slice(0, 40)}`): string {
  return `${JSON.stringify({
    type: "user",
    sessionId: id,
    uuid,
    timestamp: "2026-12-01T10:00:00.000Z",
    cwd: `/repo/${id}`,
    message: { role: "user", content: text },
  })}\n`;
}

/** @param sessions what was said in each, by its id. */
export async function embeddingHome(
  sessions: Readonly<Record<string, readonly string[]>>,
  answer?: EmbeddingAnswer,
): Promise<EmbeddingHome> {
  const index = await testIndex();
  const server = startEmbeddingServer(answer);
  const said: string[] = [];
  const scanner = createSecretScanner();
  for (const [id, texts] of Object.entries(sessions)) {
    const lines = texts.map((text) => saidIn(id, text)).join("");
    await index.write(`claude/projects/p/${id}.jsonl`, lines);
  }
  await index.index();
  const powers = ({ variables, signal, confirm }: MorePowers = {}): EmbeddingPowers => ({
    database: index.database,
    clock: systemClock(),
    variables: {
      PALLIUM_EMBED_BASE_URL: server.url,
      PALLIUM_EMBED_MODEL: "words",
      ...variables,
    },
    observer: {
      notice: (line) => said.push(line),
      detail: () => {},
      warn: (line) => said.push(`warning: ${line}`),
      onInterrupt: () => () => {},
      ...(confirm === undefined ? {} : { confirm }),
    },
    signal: signal ?? new AbortController().signal,
    now: () => new Date(),
    sleep: async () => {},
    random: () => 0,
    redact: (text) => scanner.redact(text, "transcript.jsonl"),
    detail: () => {},
  });
  return {
    ...index,
    server,
    said,
    powers,
    embed: (request = {}, more) =>
      embedSessions(powers(more), { limit: 1000, batch_size: 64, ...request }),
    vectors: () =>
      Object.fromEntries(
        index.database
          .all<{ id: string; n: number }>(
            `SELECT sessions.id, count(vectors.chunk) AS n FROM sessions
             LEFT JOIN chunks ON chunks.session = sessions.key
             LEFT JOIN vectors ON vectors.chunk = chunks.key GROUP BY sessions.id`,
          )
          .map(({ id, n }) => [id, n]),
      ),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}
