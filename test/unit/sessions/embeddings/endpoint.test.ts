/** Where vectors are made, by what the environment says: address, key, model. */
import { describe, expect, test } from "bun:test";
import {
  embeddingEndpoint,
  embeddingSpace,
  embeddingsUrl,
  requireKey,
} from "../../../../src/sessions/embeddings/endpoint.ts";

const OPENAI = "https://api.openai.com/v1";

describe("the endpoint (oracle 14 of sessions)", () => {
  test.each([
    [{}, "openai", OPENAI, undefined],
    [{ OPENAI_API_KEY: "k" }, "openai", OPENAI, "k"],
    [{ OPENAI_ADMIN_API_KEY: "a" }, "openai", OPENAI, "a"],
    [{ OPENAI_API_KEY: "k", PALLIUM_EMBED_API_KEY: "own" }, "openai", OPENAI, "own"],
    [
      { PALLIUM_EMBED_PROVIDER: "ollama", OPENAI_API_KEY: "k" },
      "ollama",
      "http://localhost:11434/v1",
      undefined,
    ],
    [
      {
        PALLIUM_EMBED_PROVIDER: "voyage",
        PALLIUM_EMBED_BASE_URL: "https://api.voyage.example/v1/",
        PALLIUM_EMBED_API_KEY: "v",
        OPENAI_API_KEY: "k",
      },
      "voyage",
      "https://api.voyage.example/v1",
      "v",
    ],
    [
      { OPENAI_BASE_URL: "https://gateway.example/openai/v1", OPENAI_API_KEY: "k" },
      "openai",
      "https://gateway.example/openai/v1",
      "k",
    ],
    [{ PALLIUM_EMBED_PROVIDER: "", PALLIUM_EMBED_BASE_URL: "" }, "openai", OPENAI, undefined],
  ] as const)("of %j is %s at %s", (variables, provider, baseUrl, key) => {
    const endpoint = embeddingEndpoint(variables);
    expect([endpoint.provider, endpoint.baseUrl, endpoint.key]).toEqual([provider, baseUrl, key]);
  });

  test.each([
    "https://evil.example/v1",
    "http://api.openai.com/v1",
    "https://api.openai.com.evil.example/v1",
    "https://api.openai.com:8443/v1",
    "http://localhost:8080/v1",
  ])("weakness 23 of sessions: a key of OpenAI's does not go to %s", (address) => {
    const variables = {
      PALLIUM_EMBED_BASE_URL: address,
      OPENAI_API_KEY: "k",
      OPENAI_ADMIN_API_KEY: "a",
    };
    expect(embeddingEndpoint(variables).key).toBeUndefined();
    const gateway = { ...variables, OPENAI_BASE_URL: "https://gateway.example/v1" };
    expect(embeddingEndpoint(gateway).key).toBeUndefined();
    const chosen = { ...variables, OPENAI_BASE_URL: address };
    expect(embeddingEndpoint(chosen).key).toBe("k");
  });

  test.each([
    ["http://localhost:11434/v1", true],
    ["http://127.0.0.2/v1", true],
    ["http://[::1]:1/v1", true],
    ["http://127.0.0.1.evil.example/v1", false],
    ["http://10.0.0.1/v1", false],
    ["https://localhost.example/v1", false],
  ])("%s stays on this computer: %p", (address, isLocal) => {
    expect(embeddingEndpoint({ PALLIUM_EMBED_BASE_URL: address }).isLocal).toBe(isLocal);
  });

  test("is none without a key of OpenAI's, and says what to set", () => {
    expect(() => requireKey(embeddingEndpoint({}))).toThrow(
      "OPENAI_API_KEY or PALLIUM_EMBED_API_KEY",
    );
    requireKey(embeddingEndpoint({ OPENAI_API_KEY: "k" }));
    requireKey(embeddingEndpoint({ PALLIUM_EMBED_PROVIDER: "ollama" }));
  });

  test.each(["nonsense", "file:///etc/passwd", "https://user:secret@host.example/v1"])(
    "%s is no address, and is not repeated",
    (address) => {
      const read = () => embeddingEndpoint({ PALLIUM_EMBED_BASE_URL: address });
      expect(read).toThrow("is no http or https address without a user and a password");
    },
  );

  test("keeps what an address asks for", () => {
    const address = "https://x.example/openai/deployments/e/?api-version=1";
    const url = embeddingsUrl(embeddingEndpoint({ PALLIUM_EMBED_BASE_URL: address }));
    expect(url.href).toBe("https://x.example/openai/deployments/e/embeddings?api-version=1");
  });
});

test.each([
  [{}, undefined, "text-embedding-3-small"],
  [{}, "", "text-embedding-3-small"],
  [{ PALLIUM_EMBED_MODEL: "bge-m3" }, undefined, "bge-m3"],
  [{ PALLIUM_EMBED_MODEL: "bge-m3" }, "", "bge-m3"],
  [{ PALLIUM_EMBED_MODEL: "bge-m3" }, "other", "other"],
])("of %j and %p the model is %s (oracle 15 of sessions)", (variables, asked, model) => {
  expect(embeddingSpace(variables, asked)).toEqual({ provider: "openai", model });
});
