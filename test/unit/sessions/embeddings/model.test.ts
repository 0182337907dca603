/** A model of embeddings on loopback that answers rightly, wrongly, late, in part and not at all. */
import { describe, expect, test } from "bun:test";
import type { PalliumError } from "../../../../src/lib/errors.ts";
import { embeddingEndpoint } from "../../../../src/sessions/embeddings/endpoint.ts";
import { embeddingModel } from "../../../../src/sessions/embeddings/model.ts";
import {
  countWords,
  type EmbeddingAnswer,
  embeddingsOf,
  startEmbeddingServer,
} from "../../../support/embedding-server.ts";

const NEVER = new AbortController().signal;

/** A model at an address, and how long it would have waited each time it was told to. */
function modelAt(url: string, { timeoutMs = 20_000, key = "test-key" } = {}) {
  const waits: number[] = [];
  const endpoint = embeddingEndpoint({ PALLIUM_EMBED_BASE_URL: url, PALLIUM_EMBED_API_KEY: key });
  const model = embeddingModel(
    {
      now: () => new Date(),
      sleep: async (ms) => {
        waits.push(ms);
      },
      random: () => 0,
      redact: async (text) => text.replaceAll("canary", "[redacted]"),
      detail: () => {},
      timeoutMs,
    },
    endpoint,
    "test-model",
  );
  return { waits, embed: (...texts: string[]) => model.embed(texts, NEVER) };
}

async function failure(work: Promise<unknown>): Promise<PalliumError> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error) => error,
  );
}

const data = (...entries: unknown[]) => Response.json({ data: entries });

describe("a model of embeddings", () => {
  test("is sent texts, model and key, and answers with a vector for each", async () => {
    await using server = startEmbeddingServer();
    const vectors = await modelAt(`${server.url}/`).embed("one two", "three");
    expect(server.calls).toEqual([
      {
        path: "/v1/embeddings",
        input: ["one two", "three"],
        model: "test-model",
        authorization: "Bearer test-key",
      },
    ]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [...countWords("one two")],
      [...countWords("three")],
    ]);
  });

  test("weakness 22 of sessions: may answer out of order, each vector under its index", async () => {
    await using server = startEmbeddingServer(() =>
      data({ index: 1, embedding: [1] }, { index: 0, embedding: [0] }),
    );
    const vectors = await modelAt(server.url).embed("a", "b");
    expect(vectors.map(([first]) => first)).toEqual([0, 1]);
  });

  test("may leave the index out where it answers in order", async () => {
    await using server = startEmbeddingServer(() => data({ embedding: [1] }, { embedding: [2] }));
    const vectors = await modelAt(server.url).embed("a", "b");
    expect(vectors.map(([first]) => first)).toEqual([1, 2]);
  });

  test.each([
    ["a short answer", data({ index: 0, embedding: [1] }), "1 vectors where 2 texts"],
    ["an empty answer", data(), "0 vectors where 2 texts"],
    [
      "a long answer",
      data({ embedding: [1] }, { embedding: [1] }, { embedding: [1] }),
      "3 vectors",
    ],
    [
      "an index twice",
      data({ index: 0, embedding: [1] }, { index: 0, embedding: [1] }),
      "does not say for each text once",
    ],
    [
      "an index beyond",
      data({ index: 0, embedding: [1] }, { index: 2, embedding: [1] }),
      "does not say for each text once",
    ],
    [
      "two dimensions",
      data({ index: 0, embedding: [1] }, { index: 1, embedding: [1, 2] }),
      "different lengths",
    ],
    [
      "no numbers",
      data({ embedding: [1] }, { embedding: [null] }),
      "vector 1 is no list of numbers",
    ],
    ["an empty vector", data({ embedding: [] }, { embedding: [] }), "vector 0 is no list"],
    [
      "a number that no float32 holds",
      data({ embedding: [1e300] }, { embedding: [1] }),
      "vector 0 is no list",
    ],
    ["NaN", new Response('{"data":[{"embedding":[NaN]},{"embedding":[1]}]}'), "it is no JSON"],
    ["something else", Response.json({ result: "ok" }), 'has no list "data"'],
    ["a page", new Response("<html>"), "it is no JSON"],
  ])("weakness 22 of sessions: %s is refused", async (_, response, message) => {
    await using server = startEmbeddingServer(() => response);
    const error = await failure(modelAt(server.url).embed("a", "b"));
    expect(error.code).toBe("embedding_answer_invalid");
    expect(error.message).toContain(message);
    expect(error.hints.length).toBeGreaterThan(0);
  });

  test("is asked again when it is busy, after the time that it says", async () => {
    const refusals = [
      new Response("", { status: 429, headers: { "retry-after": "3" } }),
      new Response("Rate limit: try again in 20ms", { status: 429 }),
      new Response("down", { status: 503 }),
    ];
    await using server = startEmbeddingServer((_, earlier) => refusals[earlier]);
    const model = modelAt(server.url);
    expect(await model.embed("a")).toHaveLength(1);
    expect(model.waits).toEqual([3000, 20, 4000]);
  });

  test("is asked ten times, then no more", async () => {
    await using server = startEmbeddingServer(() => new Response("overloaded", { status: 500 }));
    const error = await failure(modelAt(server.url).embed("a"));
    expect(error.code).toBe("embedding_busy");
    expect(error.message).toBe("openai embeddings failed: 500: overloaded");
    expect(server.calls).toHaveLength(10);
  });

  test("weakness 22 of sessions: is not waited for when it asks for a day", async () => {
    const answer: EmbeddingAnswer = () =>
      new Response("quota", { status: 429, headers: { "retry-after": "86400" } });
    await using server = startEmbeddingServer(answer);
    const model = modelAt(server.url);
    expect((await failure(model.embed("a"))).code).toBe("embedding_busy");
    expect(model.waits).toEqual([]);
  });

  test.each([400, 401, 404, 413])("is not asked again after a %d", async (status) => {
    await using server = startEmbeddingServer(() => new Response("no", { status }));
    const error = await failure(modelAt(server.url).embed("a"));
    expect(error.code).toBe("embedding_refused");
    expect(error.message).toBe(`openai embeddings failed: ${status}: no`);
    expect(server.calls).toHaveLength(1);
  });

  test("does not have its key or a secret repeated in an error", async () => {
    await using server = startEmbeddingServer(
      () => new Response(`bad key test-key for canary ${"x".repeat(2000)}`, { status: 401 }),
    );
    const { message } = await failure(modelAt(server.url).embed("a"));
    expect(message).toContain("bad key [key] for [redacted] xxx");
    expect(message.length).toBeLessThan(600);
  });

  test("has nothing sent on to where it points", async () => {
    await using other = startEmbeddingServer();
    await using server = startEmbeddingServer(
      () => new Response("", { status: 307, headers: { location: `${other.url}/embeddings` } }),
    );
    const error = await failure(modelAt(server.url).embed("a"));
    expect(error.code).toBe("embedding_refused");
    expect(other.calls).toEqual([]);
  });

  test("weakness 22 of sessions: has a time to answer in", async () => {
    await using server = startEmbeddingServer(() => new Promise<Response>(() => {}));
    const error = await failure(modelAt(server.url, { timeoutMs: 50 }).embed("a"));
    expect(error.code).toBe("embedding_unreachable");
    expect(error.message).toContain("did not answer in time");
  });

  test("is named where nothing listens, at once", async () => {
    const server = startEmbeddingServer();
    await server[Symbol.asyncDispose]();
    const model = modelAt(server.url);
    const error = await failure(model.embed("a"));
    expect(error.code).toBe("embedding_unreachable");
    expect(error.message).toContain(new URL(server.url).host);
    expect(model.waits).toEqual([]);
  });

  test("is asked again when the connection ends in the middle of an answer", async () => {
    let connections = 0;
    const whole = await embeddingsOf(["a"]).text();
    using listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => {
          connections += 1;
          const body = connections === 1 ? whole.slice(0, 40) : whole;
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-length: ${whole.length}\r\nconnection: close\r\n\r\n${body}`,
          );
          socket.end();
        },
      },
    });
    const model = modelAt(`http://127.0.0.1:${listener.port}/v1`);
    expect(await model.embed("a")).toHaveLength(1);
    expect(connections).toBe(2);
    expect(model.waits).toEqual([1000]);
  });

  test("is left when the work is interrupted", async () => {
    const interruption = new AbortController();
    await using server = startEmbeddingServer(() => {
      interruption.abort(new Error("stop"));
      return new Promise<Response>(() => {});
    });
    const endpoint = embeddingEndpoint({ PALLIUM_EMBED_BASE_URL: server.url });
    const model = embeddingModel(
      {
        now: () => new Date(),
        sleep: async () => {},
        random: () => 0,
        redact: async (text) => text,
        detail: () => {},
      },
      endpoint,
      "m",
    );
    const error = await failure(model.embed(["a"], interruption.signal));
    expect(error.message).toBe("stop");
  });
});
