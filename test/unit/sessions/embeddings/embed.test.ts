/** Vectors of sessions: each piece once, stored as they come, whatever ends the work. */
import { describe, expect, test } from "bun:test";
import type { PalliumError } from "../../../../src/lib/errors.ts";
import { refreshChunks } from "../../../../src/sessions/embeddings/chunks.ts";
import { embeddingBacklog } from "../../../../src/sessions/embeddings/spaces.ts";
import { sessionStats } from "../../../../src/sessions/reports/stats.ts";
import { embeddingsOf } from "../../../support/embedding-server.ts";
import { type EmbeddingHome, embeddingHome, saidIn } from "../../../support/embeddings.ts";

const LONG = "one two three four ".repeat(600);
const SPACE = { provider: "openai", model: "words" };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: PalliumError) => error.code,
  );
}

const sent = ({ server }: EmbeddingHome): readonly string[] =>
  server.calls.flatMap(({ input }) => input);

describe("sessions embed", () => {
  test("of one session sends one batch in order, and no other session (oracle 11 of sessions)", async () => {
    await using home = await embeddingHome({ first: ["hello"], second: ["bye"] });
    expect(await home.embed({ session: "first", batch_size: 10 })).toEqual({
      embedded: 2,
      model: "words",
      session_id: "first",
    });
    expect(home.server.calls).toHaveLength(1);
    expect(sent(home).map((text) => text.split("\n")[0])).toEqual([
      "title: hello",
      "[user/message line 1000]",
    ]);
    expect(home.vectors()).toEqual({ first: 2, second: 0 });
  });

  test("of all leaves nothing to do, and does it once (oracle 12 of sessions)", async () => {
    await using home = await embeddingHome({ a: [LONG], b: ["bye"] });
    await refreshChunks(home.database, new AbortController().signal);
    expect(sessionStats(home.database).chunks).toBe(6);
    expect(embeddingBacklog(home.database, SPACE)).toBe(6);
    expect(await home.embed({ batch_size: 4 })).toEqual({ embedded: 6, model: "words" });
    expect(home.server.calls.map(({ input }) => input.length)).toEqual([4, 2]);
    expect(embeddingBacklog(home.database, SPACE)).toBe(0);
    expect(embeddingBacklog(home.database, { ...SPACE, model: "other" })).toBe(6);
    expect(sessionStats(home.database)).toMatchObject({
      chunks: 6,
      embeddings: 6,
      models: [{ ...SPACE, dim: 256, count: 6 }],
    });
    expect((await home.embed()).embedded).toBe(0);
    expect(home.server.calls).toHaveLength(2);
  });

  test("stops at a limit and goes on there", async () => {
    await using home = await embeddingHome({ a: [LONG], b: ["bye"] });
    expect((await home.embed({ limit: 3, batch_size: 2 })).embedded).toBe(3);
    expect((await home.embed()).embedded).toBe(3);
    expect(new Set(sent(home)).size).toBe(6);
  });

  test("keeps what had arrived when the model fails, and sends nothing of it again", async () => {
    await using home = await embeddingHome({ a: [LONG] }, (_, earlier) =>
      earlier === 1 ? new Response("no", { status: 400 }) : undefined,
    );
    expect(await codeOf(home.embed({ batch_size: 2 }))).toBe("embedding_refused");
    expect(home.vectors()).toEqual({ a: 2 });
    expect((await home.embed()).embedded).toBe(2);
    const texts = home.server.calls.filter((_, at) => at !== 1).flatMap(({ input }) => input);
    expect(new Set(texts).size).toBe(4);
  });

  test("weakness 22 of sessions: a short answer stores nothing under a wrong piece", async () => {
    await using home = await embeddingHome({ a: [LONG] }, ({ input }, earlier) =>
      earlier === 0 ? embeddingsOf(input.slice(1)) : undefined,
    );
    expect(await codeOf(home.embed())).toBe("embedding_answer_invalid");
    expect(home.vectors()).toEqual({ a: 0 });
  });

  test("weakness 21 of sessions: vectors of text that was replaced are gone", async () => {
    await using home = await embeddingHome({ a: ["the old text"], b: ["bye"] });
    await home.embed();
    await home.write("claude/projects/p/a.jsonl", saidIn("a", "the new text"));
    await home.index();
    expect((await home.embed()).embedded).toBe(2);
    expect(sessionStats(home.database)).toMatchObject({ chunks: 4, embeddings: 4 });
    await home.database.write((tx) => tx.run("DELETE FROM sessions WHERE id = 'a'"));
    expect(sessionStats(home.database)).toMatchObject({ chunks: 2, embeddings: 2 });
    expect(home.database.all("SELECT 1 FROM vectors")).toHaveLength(2);
  });

  test("two at once store each vector once", async () => {
    await using home = await embeddingHome({ a: [LONG], b: [LONG], c: ["bye"] });
    const both = await Promise.all([home.embed({ batch_size: 1 }), home.embed({ batch_size: 2 })]);
    expect(both.every(({ embedded }) => embedded > 0)).toBe(true);
    expect(embeddingBacklog(home.database, SPACE)).toBe(0);
    expect(home.database.all("SELECT 1 FROM vectors")).toHaveLength(10);
  });

  test("a session that changes meanwhile is cut again, and what is stored is what was sent", async () => {
    await using home = await embeddingHome({ a: [LONG] }, async (_, earlier) => {
      if (earlier > 0) return undefined;
      await home.write("claude/projects/p/a.jsonl", saidIn("a", "something else"));
      await home.index();
      return undefined;
    });
    await home.embed({ batch_size: 1 });
    expect((await home.embed()).embedded).toBeLessThanOrEqual(1);
    expect(embeddingBacklog(home.database, SPACE)).toBe(0);
    expect(sent(home).at(-1)).toContain("something else");
  });

  test("a piece whose place another one has taken meanwhile gets none of its vectors", async () => {
    await using home = await embeddingHome({ a: ["x"] }, async () => {
      await home.database.write((tx) => tx.run("UPDATE chunks SET text_hash = 'another' || seq"));
      return undefined;
    });
    expect((await home.embed()).embedded).toBe(0);
    expect(home.vectors()).toEqual({ a: 0 });
  });

  test("a model that was replaced under its name is refused, then taken anew", async () => {
    let dim = 8;
    await using home = await embeddingHome({ a: ["x"], b: ["y"] }, ({ input }) =>
      embeddingsOf(input, dim),
    );
    await home.embed({ session: "a" });
    dim = 16;
    expect(await codeOf(home.embed())).toBe("embedding_dimension");
    expect(home.vectors()).toEqual({ a: 2, b: 0 });
    expect(await codeOf(home.embed({ anew: true, session: "a" }))).toBe("usage");
    expect((await home.embed({ anew: true })).embedded).toBe(4);
    expect(sessionStats(home.database).models).toEqual([{ ...SPACE, dim: 16, count: 4 }]);
  });

  test("anew keeps the old vectors until the first new ones are there", async () => {
    await using home = await embeddingHome({ a: ["x"] }, (_, earlier) =>
      earlier === 1 ? new Response("no", { status: 401 }) : undefined,
    );
    await home.embed();
    expect(await codeOf(home.embed({ anew: true }))).toBe("embedding_refused");
    expect(home.vectors()).toEqual({ a: 2 });
  });

  test("an embed is told that its vectors do not count any more", async () => {
    await using home = await embeddingHome({ a: ["x"] }, async (_, earlier) => {
      if (earlier === 1) await home.embed({ anew: true });
      return undefined;
    });
    await home.embed({ limit: 1 });
    expect(await codeOf(home.embed())).toBe("embedding_superseded");
    expect(embeddingBacklog(home.database, SPACE)).toBe(0);
  });

  test("is interrupted between batches, and while it waits for an answer", async () => {
    const interruption = new AbortController();
    await using home = await embeddingHome({ a: [LONG] }, (_, earlier) => {
      if (earlier === 1) interruption.abort(new Error("enough"));
      return undefined;
    });
    const work = home.embed({ batch_size: 1 }, { signal: interruption.signal });
    expect(work).rejects.toThrow("enough");
    await work.catch(() => {});
    expect(home.vectors()).toEqual({ a: 1 });
  });

  test("no secret leaves this computer, also one that was stored before its rule was known", async () => {
    const canary = `ghp_${"c4N4ry7Kx2".repeat(4).slice(0, 36)}`;
    await using home = await embeddingHome({ a: [`use ${canary} for it`], b: ["harmless"] });
    await home.database.write((tx) => {
      tx.run("UPDATE messages SET text = replace(text, 'harmless', ?)", canary);
      tx.run("DELETE FROM cut_sessions");
    });
    await home.embed();
    expect(sent(home)).toHaveLength(4);
    expect(JSON.stringify(home.server.calls)).not.toContain(canary);
  });
});

describe("text that leaves this computer (weakness 25 of sessions)", () => {
  // Nothing listens there: what matters is what happens before.
  const AWAY = { PALLIUM_EMBED_BASE_URL: "", OPENAI_BASE_URL: "http://192.0.2.1:9/v1" };

  test("is announced, with how much and to whom, and asked about on a terminal", async () => {
    await using home = await embeddingHome({ a: ["hello"] });
    const questions: string[] = [];
    const confirm = async (question: string) => {
      questions.push(question);
      return false;
    };
    const work = home.embed({}, { variables: AWAY, confirm });
    expect(await codeOf(work)).toBe("embedding_declined");
    const what = "2 pieces of what was said in sessions (0.0 MB, secrets taken out)";
    expect(home.said).toEqual([`sending ${what} to 192.0.2.1:9`]);
    expect(questions).toEqual([`Send ${what} to 192.0.2.1:9?`]);
  });

  test("is not asked about with --yes, or where pallium itself was given the address", async () => {
    await using home = await embeddingHome({ a: ["hello"] });
    const interruption = new AbortController();
    const confirm = async () => {
      throw new Error("asked");
    };
    const { signal } = interruption;
    const chosen = { PALLIUM_EMBED_BASE_URL: "http://192.0.2.1:9/v1" };
    const works = [
      home.embed({ yes: true }, { variables: AWAY, confirm, signal }),
      home.embed({}, { variables: chosen, confirm, signal }),
    ];
    const ended = Promise.allSettled(works);
    interruption.abort(new Error("enough"));
    for (const work of await ended) {
      expect(work).toMatchObject({ status: "rejected", reason: { message: "enough" } });
    }
  });

  test("is announced and sent where nobody is there to ask, as scripts expect", async () => {
    await using home = await embeddingHome({ a: ["hello"] });
    const interruption = new AbortController();
    const confirm = async () => {
      interruption.abort(new Error("enough"));
      return undefined;
    };
    const { signal } = interruption;
    const work = home.embed({}, { variables: AWAY, confirm, signal });
    await expect(work).rejects.toThrow("enough");
    expect(home.said[0]).toStartWith("sending 2 pieces");
  });

  test("is nobody's business on this computer, or where there is nothing to send", async () => {
    await using home = await embeddingHome({ a: ["hello"] });
    const confirm = async () => false;
    expect((await home.embed({}, { confirm })).embedded).toBe(2);
    expect(await home.embed({}, { variables: AWAY, confirm })).toMatchObject({ embedded: 0 });
    expect(home.said).toEqual([]);
  });
});
