/** Values in transcripts that are of the right type and make no sense keep no session from being stored. */
import { expect, test } from "bun:test";
import { sessionStats } from "../../../../src/sessions/reports/stats.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

const NOW = "2026-12-01T10:00:00.000Z";
const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const claude = (record: object) => ({ sessionId: "odd", timestamp: NOW, ...record });
const codex = (type: string, payload: object) => ({ type, timestamp: NOW, payload });

const answered = (tokens: number) =>
  claude({
    type: "assistant",
    uuid: `answer of ${tokens}`,
    message: { role: "assistant", content: "yes", usage: { output_tokens: tokens } },
  });
const ran = (id: string, content: string) => [
  claude({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name: "Bash", input: { command: id } }] },
  }),
  claude({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content }] },
  }),
];
const shell = (id: string, output: string) => [
  codex("response_item", {
    type: "function_call",
    call_id: id,
    name: "shell",
    arguments: `{"cmd":"${id}"}`,
  }),
  codex("response_item", { type: "function_call_output", call_id: id, output }),
];

test("numbers that are none of a count, an exit code or a year", async () => {
  await using index = await testIndex();
  await index.write(
    "claude/projects/p/odd.jsonl",
    lines([
      ...[1.5, 1e300, -7, 40].map(answered),
      ...ran("a", "Exit code 99999999999999999999999\nas a test prints it"),
      ...ran("b", "Exit code 4294967295\n"),
      claude({ type: "user", uuid: "late", timestamp: 1e18, message: { content: "hello" } }),
    ]),
  );
  await index.write(
    "codex/sessions/rollout-odd.jsonl",
    lines([
      codex("session_meta", { id: "odd-rollout" }),
      ...shell("c", '{"output":"no","metadata":{"exit_code":1.5}}'),
      ...shell("d", "Exit code: 99999999999999999999\nno"),
      ...shell("e", "Exit code: -1\nno"),
      codex("event_msg", {
        type: "token_count",
        info: { total_token_usage: { total_tokens: 2.5 } },
      }),
    ]),
  );
  expect(await index.index()).toMatchObject({ indexed: 2, problems: [] });
  const { database } = index;
  expect(database.all("SELECT id, tokens_used, updated_at FROM sessions ORDER BY id")).toEqual([
    { id: "odd", tokens_used: 41, updated_at: NOW },
    { id: "odd-rollout", tokens_used: 2, updated_at: NOW },
  ]);
  expect(database.all("SELECT command, exit_code FROM commands ORDER BY command")).toEqual([
    { command: "a", exit_code: 0 },
    { command: "b", exit_code: 4_294_967_295 },
    { command: "c", exit_code: null },
    { command: "d", exit_code: null },
    { command: "e", exit_code: -1 },
  ]);
});

test("types of records that are named like what every object has", async () => {
  await using index = await testIndex();
  const types = ["constructor", "toString", "__proto__", "user", "constructor"];
  await index.write("claude/projects/p/odd.jsonl", lines(types.map((type) => claude({ type }))));
  await index.index();
  const [session] = index.database.all<{ event_counts: string }>(
    "SELECT event_counts FROM sessions",
  );
  expect(JSON.parse(session?.event_counts ?? "")).toEqual({ constructor: 2, toString: 1, user: 1 });
  expect(sessionStats(index.database).events).toBe(4);
});

test("a record that is not known is cut between characters, not in one", async () => {
  await using index = await testIndex();
  const records = ["", "x"].map((begin) =>
    claude({ type: "new", text: begin + "🙂".repeat(20_000) }),
  );
  await index.write("claude/projects/p/odd.jsonl", lines(records));
  await index.index();
  const texts = index.database
    .all<{ text: string }>("SELECT text FROM unknown_records ORDER BY line")
    .map(({ text }) => text);
  expect(texts.map(({ length }) => length).toSorted()).toEqual([19_999, 20_000]);
  for (const text of texts) expect(text).toEndWith("🙂");
});
