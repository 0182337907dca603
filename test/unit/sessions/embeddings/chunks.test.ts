/** Pieces of sessions: which there are, and what becomes of them when sessions change. */
import { describe, expect, test } from "bun:test";
import { appendFile, utimes } from "node:fs/promises";
import { refreshChunks } from "../../../../src/sessions/embeddings/chunks.ts";
import { type ChunkPlace, chunkText } from "../../../../src/sessions/embeddings/session-text.ts";
import { sessionStats } from "../../../../src/sessions/reports/stats.ts";
import { forgetContent } from "../../../../src/sessions/store/forget-session.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const NEVER = new AbortController().signal;

interface Row {
  readonly key: number;
  readonly session: number;
  readonly id: string;
  readonly kind: "overview" | "transcript";
  readonly text: string;
  readonly text_hash: string;
}

/** The pieces of all sessions, with the texts that their places lead to. */
async function pieces(index: TestIndex): Promise<readonly Row[]> {
  await refreshChunks(index.database, NEVER);
  return index.database
    .all<Row & { line_no: number; start: number; bytes: number }>(
      `SELECT chunks.key, session, sessions.id, kind, line_no, start, bytes, text_hash
       FROM chunks JOIN sessions ON sessions.key = session ORDER BY session, seq`,
    )
    .map(({ line_no: line, start: offset, bytes, ...row }) => {
      const place: ChunkPlace = { kind: row.kind, line, offset, bytes };
      return { ...row, text: chunkText(index.database, row.session, place) };
    });
}

const said = (id: string, uuid: string, text: string) =>
  `${JSON.stringify({
    type: "user",
    sessionId: id,
    uuid,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: text },
  })}\n`;

describe("the pieces of sessions", () => {
  test("are an overview and what was said, each message under who said it", async () => {
    await using index = await testIndex();
    await index.place("claude", "session");
    await index.index();
    const [overview, transcript] = await pieces(index);
    expect(overview?.kind).toBe("overview");
    expect(overview?.text).toContain("cwd: /home/dev/billing");
    expect(overview?.text).toContain("commands: sh check.sh");
    expect(transcript?.kind).toBe("transcript");
    expect(transcript?.text).toStartWith("[user/message line ");
    expect(sessionStats(index.database)).toMatchObject({ chunks: 2, embeddings: 0, models: [] });
  });

  test("hold what a fork took over once (weakness 4 of sessions: texts embedded twice)", async () => {
    await using index = await testIndex();
    for (const provider of ["claude", "codex"] as const) {
      for (const name of ["session", "fork"] as const) await index.place(provider, name);
    }
    await index.index();
    const transcripts = (await pieces(index)).filter(({ kind }) => kind === "transcript");
    const asked = transcripts.flatMap(({ text }) => [
      ...text.matchAll(/^Fix the billing total that check.sh complains of$/gm),
    ]);
    expect(asked).toHaveLength(2);
  });

  test("keep their rows where their texts are still there, whatever is added or read anew", async () => {
    await using index = await testIndex();
    const path = await index.write(
      "claude/projects/p/s.jsonl",
      said("s", "1", "word ".repeat(2600)),
    );
    await index.index();
    const before = await pieces(index);
    expect(before).toHaveLength(4);
    await index.index({ force: true });
    expect(await pieces(index)).toEqual(before);

    await appendFile(path, said("s", "2", "and more"));
    await utimes(path, new Date(0), new Date(1000));
    await index.index();
    const after = await pieces(index);
    const kept = after.filter(({ key }) => before.some((row) => row.key === key));
    expect(kept.map(({ text_hash: hash }) => hash)).toEqual(
      before.slice(0, 3).map(({ text_hash: hash }) => hash),
    );
    expect(after.at(-1)?.text).toEndWith("and more");
  });

  test("are looked at anew only where a session has changed", async () => {
    await using index = await testIndex();
    await index.place("claude", "session");
    await index.place("claude", "helped");
    await index.index();
    await pieces(index);
    // A row that a new cut would bring back.
    await index.database.write((tx) => tx.run("DELETE FROM chunks"));
    expect(await pieces(index)).toEqual([]);
    const session = index.database.get<{ key: number }>("SELECT key FROM sessions LIMIT 1")?.key;
    await index.database.write((tx) => forgetContent(tx, session ?? 0));
    const left = await pieces(index);
    expect(left.map(({ kind, session: key }) => [kind, key])).toEqual([["overview", session ?? 0]]);
  });

  test("take the ends of what a tool printed without end", async () => {
    await using index = await testIndex();
    const result = {
      type: "user",
      sessionId: "t",
      uuid: "1",
      timestamp: "2026-12-01T10:00:00.000Z",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "x", content: `begin ${"🦀".repeat(50_000)} end` },
        ],
      },
    };
    await index.write("claude/projects/p/t.jsonl", `${JSON.stringify(result)}\n`);
    await index.index();
    const transcript = (await pieces(index)).filter(({ kind }) => kind === "transcript");
    const text = transcript.map((piece) => piece.text).join("");
    expect(text).toContain("begin 🦀");
    expect(text).toContain("94010 characters left out]");
    expect(text).toEndWith("🦀 end");
    expect(text).not.toContain("\ufffd");
    expect(transcript.length).toBeLessThan(5);
  });

  test("go with their session", async () => {
    await using index = await testIndex();
    await index.place("claude", "session");
    await index.index();
    await pieces(index);
    await index.database.write((tx) => tx.run("DELETE FROM sessions"));
    expect(index.database.all("SELECT * FROM chunks")).toEqual([]);
    expect(index.database.all("SELECT * FROM cut_sessions")).toEqual([]);
  });
});
