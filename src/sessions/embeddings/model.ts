/** A model of embeddings behind an address that speaks as OpenAI's does. */
import { PalliumError } from "../../lib/errors.ts";
import { oneLine } from "../../lib/one-line.ts";
import { type JsonAnswer, postJson } from "../../platform/post-json.ts";
import { readEmbeddings } from "./answer.ts";
import { type EmbeddingEndpoint, embeddingsUrl, hostOf } from "./endpoint.ts";
import { MOST_ATTEMPTS, type Refusal, retryWaitMs } from "./retry.ts";

/** A processor without a card takes a second for a text. */
const TIMEOUT_MS = 300_000;
/** Far more than the vectors of the largest batch take. */
const LIMIT_BYTES = 256 * 1024 * 1024;
const BODY_LENGTH = 500;

export interface ModelPowers {
  readonly now: () => Date;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Takes secrets out of what the other side said, which can be what it was sent. */
  readonly redact: (text: string) => Promise<string>;
  /** Told why and how long it waits. */
  readonly detail: (line: string) => void;
  readonly timeoutMs?: number;
}

export interface EmbeddingModel {
  /**
   * One vector for each text, in their order, all of one length.
   * @throws PalliumError `embedding_unreachable`, `embedding_refused`, `embedding_busy`,
   *   `embedding_answer_invalid`; the reason of the signal.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

export function embeddingModel(
  powers: ModelPowers,
  endpoint: EmbeddingEndpoint,
  model: string,
): EmbeddingModel {
  const url = embeddingsUrl(endpoint);
  const headers: Record<string, string> =
    endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` };
  const problems = problemsOf(powers, endpoint);

  return {
    embed: async (texts, signal) => {
      const request = {
        url,
        headers,
        body: JSON.stringify({ input: texts, model }),
        timeoutMs: powers.timeoutMs ?? TIMEOUT_MS,
        limitBytes: LIMIT_BYTES,
        signal,
      };
      for (let attempt = 0; ; attempt += 1) {
        const answer = await postJson(request);
        const refusal = refusalOf(answer);
        if (refusal === undefined) {
          const text = await problems.check(answer);
          const read = readEmbeddings(text, texts.length);
          if ("vectors" in read) return read.vectors;
          throw problems.invalid(read.wrong);
        }
        const wait = retryWaitMs(attempt, refusal, powers.now(), powers.random());
        if (attempt + 1 >= MOST_ATTEMPTS || wait === undefined) throw await problems.busy(answer);
        const seconds = (wait / 1000).toFixed(1);
        powers.detail(`${hostOf(endpoint)} is busy; asking again in ${seconds} s`);
        await powers.sleep(wait, signal);
        signal.throwIfAborted();
      }
    },
  };
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** What is worth asking again. */
function refusalOf(answer: JsonAnswer): Refusal | undefined {
  if (answer.kind === "broken") return { retryAfter: "", text: "" };
  if (answer.kind !== "answered") return undefined;
  const { status } = answer;
  return status === TOO_MANY_REQUESTS || status >= SERVER_ERROR ? answer : undefined;
}

/** What can be wrong with an answer, in words. */
function problemsOf({ redact }: ModelPowers, endpoint: EmbeddingEndpoint) {
  const host = hostOf(endpoint);
  const said = async (status: number, text: string): Promise<string> => {
    const shown = endpoint.key === undefined ? text : text.replaceAll(endpoint.key, "[key]");
    const body = oneLine(await redact(shown), BODY_LENGTH);
    return `${endpoint.provider} embeddings failed: ${status}: ${body}`;
  };
  const later = "what was embedded is kept; the next pallium sessions embed goes on from there";
  const unreachable = (message: string): PalliumError =>
    new PalliumError("embedding_unreachable", message, {
      hints: [
        "look at PALLIUM_EMBED_BASE_URL, or OPENAI_BASE_URL, and whether the server runs",
        later,
      ],
    });
  return {
    /** The text of an answer that is none of these problems. */
    check: async (answer: JsonAnswer): Promise<string> => {
      if (answer.kind === "unreachable") {
        throw unreachable(`no model of embeddings answers at ${host}: ${answer.reason}`);
      }
      if (answer.kind === "late") {
        throw unreachable(`the model of embeddings at ${host} did not answer in time`);
      }
      if (answer.kind !== "answered") throw invalid("it is too long");
      if (answer.status >= 200 && answer.status < 300) return answer.text;
      throw new PalliumError("embedding_refused", await said(answer.status, answer.text), {
        hints: [
          REFUSED_HINTS[answer.status] ?? "look at the address, the model and the key",
          later,
        ],
      });
    },
    invalid,
    busy: async (answer: JsonAnswer): Promise<PalliumError> => {
      const why =
        answer.kind === "answered"
          ? await said(answer.status, answer.text)
          : `the connection to ${host} ended before the answer did`;
      return new PalliumError("embedding_busy", why, {
        hints: ["wait and call it again; a smaller --batch-size may pass", later],
      });
    },
  };

  function invalid(wrong: string): PalliumError {
    return new PalliumError(
      "embedding_answer_invalid",
      `the answer of the model of embeddings at ${host} cannot be used: ${wrong}`,
      { hints: ["look whether the address is that of an API like OpenAI's", later] },
    );
  }
}

const REFUSED_HINTS: Readonly<Record<number, string>> = {
  400: "look at the name of the model; a smaller --batch-size may pass",
  401: "look at PALLIUM_EMBED_API_KEY, or OPENAI_API_KEY",
  403: "look at PALLIUM_EMBED_API_KEY, or OPENAI_API_KEY, and at what it may do",
  404: "look at the name of the model, in --model or PALLIUM_EMBED_MODEL, and at PALLIUM_EMBED_BASE_URL",
  413: "give a smaller --batch-size",
};
