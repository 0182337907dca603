/** One session, shown whole. */
import { expect, test } from "bun:test";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { indexFork, testIndex } from "../../../support/transcripts/index.ts";
import { told } from "../../../support/transcripts/told.ts";

test("what a fork took over stands before what was said in it", async () => {
  await using index = await testIndex();
  const id = await indexFork(index);
  const { messages } = showSession(index.database, { id, transcript: true });
  const copies = index.database.all("SELECT 1 FROM message_copies");
  expect(copies.length).toBeGreaterThan(0);
  expect(messages.length).toBeGreaterThan(copies.length);
  const lines = messages.map(({ line_no: line }) => line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test("what a fork took over stands at the fork's own lines", async () => {
  await using index = await testIndex();
  const steps = [{ user: "go" }, { agent: "a ledger" }];
  const origin = claudeTranscript({ id: "origin", cwd: "/gone", steps });
  const title = { type: "custom-title", sessionId: "z-fork", customTitle: "Fork" };
  const own = claudeTranscript({ id: "z-fork", cwd: "/gone", steps: [{ user: "go on" }] });
  await index.write("claude/projects/p/origin.jsonl", origin);
  await index.write(
    "claude/projects/p/z-fork.jsonl",
    `${JSON.stringify(title)}\n${origin.replaceAll('"sessionId":"origin"', '"sessionId":"z-fork"')}${own}`,
  );
  await index.index();
  const { messages } = showSession(index.database, { id: "z-fork", transcript: true });
  expect(messages.map(({ line_no: line, text }) => [line, text])).toEqual([
    [2000, "go"],
    [3000, "a ledger"],
    [4000, "go on"],
  ]);
});

test("of a session of two computers the one that was read last is shown, whichever that is", async () => {
  await using index = await told({ one: { said: ["go"] } });
  await index.index({ machine: "there" });
  for (const last of ["here", "there"]) {
    const sql = "UPDATE sessions SET indexed_at = CASE WHEN machine = ? THEN '2' ELSE '1' END";
    await index.database.write((tx) => tx.run(sql, last));
    expect(showSession(index.database, { id: "on" }).session.machine).toBe(last);
  }
});

test("helpers come in the order in which they began", async () => {
  await using index = await testIndex();
  const places = { parent: "", b: "/parent/subagents", a: "/parent/subagents" };
  let hour = 10;
  for (const [name, folder] of Object.entries(places)) {
    const id = folder === "" ? name : `agent-${name}`;
    const at = `2026-12-01T${hour}:00:00.000Z`;
    const text = claudeTranscript({ id: "parent", cwd: "/gone", steps: [{ user: name }], at });
    const helper = text.replaceAll(
      '{"sessionId"',
      `{"isSidechain":true,"agentId":"${name}","sessionId"`,
    );
    await index.write(`claude/projects/p${folder}/${id}.jsonl`, folder === "" ? text : helper);
    hour += 1;
  }
  await index.index();
  expect(showSession(index.database, { id: "parent" }).helpers).toEqual(["agent-b", "agent-a"]);
});
