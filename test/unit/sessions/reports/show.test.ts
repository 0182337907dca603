/** One session, shown whole. */
import { expect, test } from "bun:test";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { testIndex } from "../../../support/transcripts/index.ts";
import { told } from "../../../support/transcripts/told.ts";

test("what a fork took over stands before what was said in it", async () => {
  await using index = await testIndex();
  await index.place("claude", "session");
  const fork = await index.place("claude", "fork");
  await index.index();
  const id = fork.replace(/^.*\/|\.jsonl$/g, "");
  const { messages } = showSession(index.database, { id, transcript: true });
  const copies = index.database.all("SELECT 1 FROM message_copies");
  expect(copies.length).toBeGreaterThan(0);
  expect(messages.length).toBeGreaterThan(copies.length);
  const lines = messages.map(({ line_no: line }) => line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
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
