/**
 * A model of embeddings on loopback, as OpenAI's API speaks. Texts with words in common are near each
 * other: a vector counts the words of its text, each in a place that its hash says.
 */

export interface EmbeddingCall {
  readonly path: string;
  readonly input: readonly string[];
  readonly model: string;
  /** Header of that name; empty without. */
  readonly authorization: string;
}

export interface EmbeddingServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711/v1`. */
  readonly url: string;
  readonly calls: readonly EmbeddingCall[];
}

export type EmbeddingAnswer = (
  call: EmbeddingCall,
  /** How many came before it. */
  earlier: number,
) => Response | undefined | Promise<Response | undefined>;

const DIM = 256;
const WORD = /[\p{L}\p{N}]+/gu;

export function countWords(text: string, dim = DIM): readonly number[] {
  const vector = Array.from({ length: dim }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const place = Number(Bun.hash(word) % BigInt(dim));
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

export function embeddingsOf(input: readonly string[], dim = DIM): Response {
  return Response.json({
    object: "list",
    data: input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: countWords(text, dim),
    })),
  });
}

/** @param answer what is said in the place of vectors; `undefined` for vectors. */
export function startEmbeddingServer(answer: EmbeddingAnswer = () => undefined): EmbeddingServer {
  const calls: EmbeddingCall[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { input, model } = (await request.json()) as { input: string[]; model: string };
      const call: EmbeddingCall = {
        path: new URL(request.url).pathname,
        input,
        model,
        authorization: request.headers.get("authorization") ?? "",
      };
      calls.push(call);
      return (await answer(call, calls.length - 1)) ?? embeddingsOf(input);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    calls,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
