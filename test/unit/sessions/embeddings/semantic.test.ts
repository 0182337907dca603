/** Sessions found by vectors, and by words and vectors together. */
import { describe, expect, test } from "bun:test";
import { fuse } from "../../../../src/sessions/embeddings/fuse.ts";
import { hybridSearch } from "../../../../src/sessions/embeddings/hybrid.ts";
import { semanticSearch } from "../../../../src/sessions/embeddings/semantic.ts";
import { embeddingsOf } from "../../../support/embedding-server.ts";
import { type EmbeddingHome, embeddingHome, type MorePowers } from "../../../support/embeddings.ts";

const SAID = {
  payments: ["payments arrive twice when the network is slow", "the retry sends payments again"],
  colours: ["the button is green and should be blue"],
  network: ["the network card is slow"],
};

const AGAIN = "the retry sends payments again";

const ask = (home: EmbeddingHome, query: string, more: MorePowers & { limit?: number } = {}) =>
  semanticSearch(home.powers(more), { words: [query], limit: more.limit ?? 10 });
const idsOf = (hits: readonly { readonly session_id: string }[]) =>
  hits.map((hit) => hit.session_id);

describe("sessions semantic", () => {
  test("gives the best piece of each session, the nearest first", async () => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    const hits = await ask(home, AGAIN);
    expect(idsOf(hits)[0]).toBe("payments");
    expect(new Set(idsOf(hits)).size).toBe(3);
    const [first] = hits;
    expect(first).toMatchObject({
      chunk_id: "payments:0001",
      kind: "transcript",
      title: "payments arrive twice when the network is slow",
      cwd: "/repo/payments",
      updated_at: "2026-12-01T10:00:00.000Z",
      line_no: 1000,
    });
    expect(first?.snippet).toContain("payments arrive twice");
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(await ask(home, "payments twice", { limit: 1 })).toHaveLength(1);
  });

  test("keeps spaces apart (oracle 13 of sessions)", async () => {
    await using home = await embeddingHome(SAID);
    const ollama = { PALLIUM_EMBED_PROVIDER: "ollama", PALLIUM_EMBED_MODEL: "bge-m3" };
    await home.embed({}, { variables: ollama });
    expect(await ask(home, "network", { variables: ollama })).toHaveLength(3);
    const other = { PALLIUM_EMBED_MODEL: "text-embedding-3-small" };
    expect(await ask(home, "network", { variables: other })).toEqual([]);
    expect(home.said).toEqual([
      "warning: nothing is embedded with openai/text-embedding-3-small yet; do it with: pallium sessions embed",
    ]);
  });

  test("looks only at what the filter lets through", async () => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    const search = (filter: object) =>
      semanticSearch(home.powers(), { words: ["slow"], limit: 10, ...filter }).then(idsOf);
    expect(await search({ repo: "/repo/network" })).toEqual(["network"]);
    expect(await search({ machine: "elsewhere" })).toEqual([]);
    expect(await search({ provider: "claude" })).toHaveLength(3);
    expect(await search({ since: "2026-12-02T00:00:00.000Z" })).toEqual([]);
    expect(await search({ file: "nothing.ts" })).toEqual([]);
  });

  test("weakness 21 of sessions: does not show what was said before", async () => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    expect((await ask(home, AGAIN))[0]?.chunk_id).toBe("payments:0001");
    // As if an index had been killed before it cut the session again.
    await home.database.write((tx) =>
      tx.run("UPDATE messages SET text = 'gone' WHERE text LIKE '%retry%'"),
    );
    expect(idsOf(await ask(home, AGAIN)).toSorted()).toEqual(["colours", "network"]);
  });

  test("sends the question without its secrets", async () => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    const canary = `ghp_${"c4N4ry7Kx2".repeat(4).slice(0, 36)}`;
    await ask(home, `why does ${canary} fail`);
    expect(home.server.calls.at(-1)?.input[0]).toStartWith("why does [redacted");
  });

  test("says what to do without a key, and when another model answers", async () => {
    let dim = 8;
    await using home = await embeddingHome(SAID, ({ input }) => embeddingsOf(input, dim));
    await home.embed();
    const none = ask(home, "x", { variables: { PALLIUM_EMBED_BASE_URL: "" } });
    await expect(none).rejects.toMatchObject({ code: "embeddings_not_configured" });
    dim = 16;
    await expect(ask(home, "x")).rejects.toMatchObject({ code: "embedding_dimension" });
  });
});

describe("sessions search --hybrid (weakness 15 of sessions)", () => {
  const hybrid = (home: EmbeddingHome, query: string, more: MorePowers & { limit?: number } = {}) =>
    hybridSearch(home.powers(more), { words: query.split(" "), limit: more.limit ?? 10 });

  test("puts words and meaning together, and says which found what", async () => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    const found = await hybrid(home, "payments twice");
    expect(found[0]).toMatchObject({ id: "payments", signals: ["lexical:1", "vector:1"] });
    expect(found[0]?.score).toBeCloseTo(2 / 61);
    const byVector = found.find(({ id }) => id === "colours");
    expect(byVector?.signals).toEqual([expect.stringMatching(/^vector:[23]$/)]);
    expect(byVector).toMatchObject({ rank: 0, title: SAID.colours[0] });
    expect(await hybrid(home, "payments twice", { limit: 1 })).toHaveLength(1);
  });

  test("finds nothing by its age alone", async () => {
    await using home = await embeddingHome({ fresh: ["hello there"] });
    expect(await hybrid(home, "unrelated")).toEqual([]);
  });

  test.each([
    ["without a key", { PALLIUM_EMBED_BASE_URL: "" }, "OPENAI_API_KEY or PALLIUM_EMBED_API_KEY"],
    ["without vectors", { PALLIUM_EMBED_MODEL: "other" }, "nothing is embedded with openai/other"],
    [
      "without an answer",
      { PALLIUM_EMBED_BASE_URL: "http://127.0.0.1:1/v1" },
      "no model of embeddings answers at 127.0.0.1:1",
    ],
  ])("%s it searches by words, and says so", async (_, variables, reason) => {
    await using home = await embeddingHome(SAID);
    await home.embed();
    const found = await hybrid(home, "payments twice", { variables });
    expect(found.map(({ id, signals }) => [id, signals])).toEqual([["payments", ["lexical:1"]]]);
    expect(home.said[0]).toStartWith("warning: searched by words alone: ");
    expect(home.said[0]).toContain(reason);
  });
});

test("lists are fused by places: what both hold goes before what one has first", () => {
  const fused = fuse({ lexical: ["a", "b"], vector: ["c", "b", "a"] });
  expect(fused.map(({ key, signals }) => [key, signals])).toEqual([
    ["a", ["lexical:1", "vector:3"]],
    ["b", ["lexical:2", "vector:2"]],
    ["c", ["vector:1"]],
  ]);
  expect(fused.map(({ score }) => score)).toEqual([1 / 61 + 1 / 63, 2 / 62, 1 / 61]);
});
