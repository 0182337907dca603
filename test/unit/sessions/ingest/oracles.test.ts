/** What the Go program's own tests say of an index, and where it went wrong with transcripts. */

import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFile, readFile, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findTranscripts } from "../../../../src/sessions/discovery/find-transcripts.ts";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import type { TranscriptProvider } from "../../../../src/sessions/transcripts/types.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const lines = (...records: readonly object[]) =>
  `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
const at = (second: number) => `2026-12-01T10:00:${String(second).padStart(2, "0")}.000Z`;

const BILLING = lines(
  {
    type: "user",
    sessionId: "billing",
    uuid: "1",
    timestamp: at(1),
    cwd: "/tmp/repo",
    version: "2.1.128",
    gitBranch: "main",
    message: { role: "user", content: "Fix the billing auth bug" },
  },
  {
    type: "assistant",
    sessionId: "billing",
    uuid: "2",
    timestamp: at(2),
    message: {
      role: "assistant",
      model: "claude-sonnet-4",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "I run the tests" },
        { type: "tool_use", id: "t", name: "Bash", input: { command: "go test ./..." } },
      ],
    },
  },
  { type: "ai-title", sessionId: "billing", aiTitle: "Fix billing auth bug" },
);

const record = ({ database }: TestIndex, id: string) =>
  showSession(database, { id, transcript: true });

test("oracle 1 of sessions: a session of Claude Code is found, with who did what", async () => {
  await using index = await testIndex();
  await index.write("claude/projects/p/billing.jsonl", BILLING);
  expect(await index.index({ force: true })).toMatchObject({ indexed: 1 });
  const found = searchSessions(index.database, { words: ["billing", "auth"], limit: 10 });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    source: "claude",
    model_provider: "anthropic",
    model: "claude-sonnet-4",
    title: "Fix billing auth bug",
    commands: ["go test ./..."],
    git_branch: "main",
    cwd: "/tmp/repo",
    cli_version: "2.1.128",
  });
});

test("oracles 2 and 3 of sessions: files besides belong to whom their names say", async () => {
  await using index = await testIndex();
  const path = await index.write("elsewhere/billing.jsonl", BILLING);
  const none = { codexHome: "/nowhere", claudeHome: "/nowhere" };
  const found = (providers: readonly TranscriptProvider[], include: string) =>
    findTranscripts({ ...none, providers, include: [include] }).files;
  expect(found(["codex"], dirname(path))).toEqual([]);
  expect(found(["codex", "claude"], path)).toMatchObject([{ provider: "claude", path }]);
});

test("oracle 5 of sessions: a transcript is looked at again when it was written, not before", async () => {
  await using index = await testIndex();
  const path = await index.write("claude/projects/p/billing.jsonl", BILLING);
  await index.index();
  await index.database.write((tx) => tx.run("UPDATE sources SET ends_hash = 'another'"));
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
  const later = new Date(Date.now() - 300_000);
  await utimes(path, later, later);
  expect(await index.index()).toMatchObject({ indexed: 1 });
});

test("oracle 6 of sessions: whether a transcript is read anew its file says, not Codex's database", async () => {
  await using index = await testIndex();
  const path = await index.place("codex", "session");
  await index.index();
  const state = new Connection(join(index.directory, "codex", "state_5.sqlite"));
  state.run("CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT, updated_at_ms INTEGER)");
  state.run("INSERT INTO threads VALUES ('01a23a7d-9257-7e80-a92d-8bf46c16c593', 'x', ?)", [
    Date.now() + 60_000,
  ]);
  state.close(true);
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
  expect((await readFile(path)).length).toBeGreaterThan(0);
});

test("weaknesses 1 and 2 of sessions: helpers and forks are sessions of their own, whatever ids they repeat", async () => {
  await using index = await testIndex();
  for (const name of ["helped", "helper"] as const) await index.place("claude", name);
  for (const name of ["session", "fork"] as const) await index.place("codex", name);
  await index.index();
  const [helped, helper] = ["460bb3c7-01d4-405c-aeb3-ed79a689d93c", "agent-af4860ea4b6868de4"];
  const fork = "01a23a7d-9c77-7420-ab0d-a0eff7b1c907";
  const origin = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
  expect(record(index, helper).session.parent_id).toBe(helped);
  expect(record(index, helped).messages[0]?.text).toContain("Use a helper");
  expect(record(index, fork).session).toMatchObject({ id: fork, forked_from: origin });
  expect(record(index, origin).session).toMatchObject({ id: origin, forked_from: "" });
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 4 });
});

test("weakness 4 of sessions: what Codex writes twice is a message once, each time that it is said", async () => {
  await using index = await testIndex();
  const event = (second: number, payload: object) => ({
    timestamp: at(second),
    type: "event_msg",
    payload,
  });
  const item = (second: number, role: string, text: string) => ({
    timestamp: at(second),
    type: "response_item",
    payload: {
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    },
  });
  const turn = (second: number) => [
    event(second, { type: "task_started" }),
    item(second, "user", "again"),
    event(second, { type: "user_message", message: "again" }),
    event(second, { type: "agent_message", message: "done" }),
    item(second, "assistant", "done"),
    event(second, { type: "task_complete", last_agent_message: "done" }),
  ];
  const meta = { timestamp: at(0), type: "session_meta", payload: { id: "twice", cwd: "/r" } };
  await index.write("codex/sessions/rollout-twice.jsonl", lines(meta, ...turn(1), ...turn(2)));
  await index.index();
  const said = record(index, "twice").messages.map(({ role, text }) => `${role}: ${text}`);
  expect(said).toEqual(["user: again", "assistant: done", "user: again", "assistant: done"]);
});

test("weakness 6 of sessions: an output that speaks of errors is none, and how it ended is known of both agents", async () => {
  await using index = await testIndex();
  const result = (uuid: string, second: number, content: string, failed: boolean) => ({
    type: "user",
    sessionId: "billing",
    uuid,
    timestamp: at(second),
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", is_error: failed, content }],
    },
  });
  const answer = {
    type: "assistant",
    sessionId: "billing",
    uuid: "9",
    timestamp: at(9),
    message: { role: "assistant", stop_reason: "end_turn", content: "All is well" },
  };
  const stopped = {
    type: "user",
    sessionId: "billing",
    uuid: "10",
    timestamp: at(10),
    message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
  };
  const path = "claude/projects/p/billing.jsonl";
  const status = async (...more: readonly object[]) => {
    await index.write(path, BILLING + lines(...more), 600_000 - more.length * 1000);
    await index.index();
    return record(index, "billing").session;
  };
  expect(await status()).toMatchObject({ status: "seen", errors: [] });
  const fine = result("3", 3, "0 errors, 0 failed", false);
  expect(await status(fine)).toMatchObject({ status: "seen", errors: [] });
  const failed = result("4", 4, "permission denied", true);
  expect(await status(fine, failed, answer)).toMatchObject({
    status: "complete",
    errors: ["permission denied"],
  });
  expect((await status(fine, failed, answer, stopped)).status).toBe("aborted");
});

test("weakness 7 of sessions: noise is no ask, thinking and titles count, and numbers called tokens stay numbers", async () => {
  await using index = await testIndex();
  const user = (uuid: string, content: string, more: object = {}) => ({
    type: "user",
    sessionId: "s",
    uuid,
    timestamp: at(1),
    message: { role: "user", content },
    ...more,
  });
  const text = lines(
    { type: "last-prompt", sessionId: "s", lastPrompt: "not asked first" },
    user("1", "<local-command-stdout>ok</local-command-stdout>"),
    user("2", "<system-reminder>be brief</system-reminder>"),
    user("3", "Caveat: The messages below were generated by the user while running local commands"),
    user("4", "what was before", { isCompactSummary: true }),
    user("5", "what was asked"),
    {
      type: "assistant",
      sessionId: "s",
      uuid: "6",
      timestamp: at(2),
      message: {
        id: "m",
        role: "assistant",
        usage: { input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 500 },
        content: [{ type: "thinking", thinking: "what was thought" }],
      },
    },
    { type: "custom-title", sessionId: "s", customTitle: "What it is called" },
  );
  await index.write("claude/projects/p/s.jsonl", text);
  await index.index();
  const { session, messages } = record(index, "s");
  expect(session).toMatchObject({
    title: "What it is called",
    first_user_message: "what was asked",
    tokens_used: 543,
  });
  expect(messages.map(({ role, kind }) => `${role}/${kind}`)).toEqual([
    "assistant/summary",
    "user/message",
    "assistant/thinking",
  ]);
});

test("what came of a call without an id is no other call's", async () => {
  await using index = await testIndex();
  const content = (command: string) => [{ type: "tool_use", name: "Bash", input: { command } }];
  const came = [{ type: "tool_result", is_error: true, content: "Exit code 3\nno" }];
  const said = (second: number, role: string, what: readonly object[]) => ({
    type: role,
    sessionId: "s",
    timestamp: at(second),
    message: { role, content: what },
  });
  const [first, second] = [
    said(1, "assistant", content("one")),
    said(2, "assistant", content("two")),
  ];
  const path = await index.write(
    "claude/projects/p/s.jsonl",
    lines(first, second, said(3, "user", came)),
  );
  await index.index();
  await appendFile(path, lines(said(4, "user", came)));
  await utimes(path, new Date(Date.now() - 300_000), new Date(Date.now() - 300_000));
  await index.index();
  expect(index.database.all("SELECT command, ended_at, exit_code FROM commands")).toEqual([
    { command: "one", ended_at: "", exit_code: null },
    { command: "two", ended_at: "", exit_code: null },
  ]);
  expect(index.database.all("SELECT * FROM failures")).toHaveLength(2);
});
