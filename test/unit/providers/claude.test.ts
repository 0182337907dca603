import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createClaude } from "../../../src/providers/claude.ts";
import type { AgentTask, ProcessEnd } from "../../../src/providers/contract.ts";
import { agentTask, callFiles, testFolder } from "../../support/provider-fixtures.ts";

const GOOD: ProcessEnd = { exitCode: 0, timedOut: false, outputLimited: false, cancelled: false };
const FAILED = { ...GOOD, exitCode: 1 };
const SCHEMA = { type: "object", properties: { ok: { type: "boolean" } } };

const TOOLS =
  "Read,Grep,Glob,LS,Bash(go test:*),Bash(go build:*),Bash(go vet:*),Bash(gofmt:*)," +
  "Bash(npm test:*),Bash(npm run:*),Bash(yarn:*),Bash(pnpm:*),Bash(deno test:*),Bash(deno fmt:*)," +
  "Bash(deno lint:*),Bash(deno check:*),Bash(deno task:*),Bash(pytest:*),Bash(cargo:*),Bash(make:*)," +
  "Bash(xcodebuild:*),Bash(swift:*),Bash(swiftlint:*),Bash(ls:*),Bash(cat:*),Bash(grep:*),Bash(wc:*)";
const WRITE = "Edit,Write,NotebookEdit";
const WEB = "WebFetch,WebSearch";
const NEVER = "Bash(curl:*),Bash(gh:*)";
const OFFLINE = `${NEVER},Bash(wget:*),Bash(ssh:*),Bash(scp:*),Bash(nc:*)`;
const BASE = [
  "/bin/claude",
  "-p",
  "--output-format",
  "stream-json",
  "--verbose",
  "--safe-mode",
  "--strict-mcp-config",
];

function invocation(changes: Partial<AgentTask>, extraTools = "") {
  const files = { dir: "/c", prompt: "p", output: "o", usage: "u", stdout: "1", stderr: "2" };
  return createClaude("/bin/claude", extraTools).invocation(agentTask("/repo", changes), files);
}

/** What claude's printed text means; `err` is its stderr. */
async function interpret(out: string, changes: Partial<AgentTask> = {}, end = GOOD, err = "") {
  using folder = testFolder();
  const files = callFiles(folder.join("call"));
  writeFileSync(files.stdout, out);
  writeFileSync(files.stderr, err);
  return await createClaude("c", "").interpret(agentTask(folder.path, changes), files, end, 60);
}

function envelope(fields: Record<string, unknown>): string {
  return JSON.stringify({ type: "result", subtype: "success", is_error: false, ...fields });
}

describe("claude command line", () => {
  const readOnly = ["--permission-mode", "dontAsk", "--tools", "Read,Grep,Glob,Bash"];

  test("reads only, inside the working tree only, unless the mode does more (weakness X4)", () => {
    const tail = [...readOnly, "--disallowedTools", `${WRITE},${WEB},${OFFLINE},Bash(wc:*)`];
    expect(invocation({}).argv).toEqual([...BASE, ...tail]);
    expect(invocation({ model: "opus" }, "Bash(rg:*)").argv).toEqual([
      ...BASE,
      ...["--model", "opus"],
      ...tail,
    ]);
  });

  test.each([
    ["edit", "acceptEdits", ""],
    ["test", "dontAsk", `${WRITE},`],
    ["check", "dontAsk", `${WRITE},`],
  ])("mode %s runs programs, and may add some", (mode, permissions, refused) => {
    const tail = (tools: string) => [
      ...["--permission-mode", permissions, "--allowedTools", tools],
      ...["--disallowedTools", `${refused}${WEB},${OFFLINE}`],
    ];
    expect(invocation({ mode }).argv).toEqual([...BASE, ...tail(TOOLS)]);
    expect(invocation({ mode }, "Bash(mix test:*),Bash(just:*)").argv).toEqual([
      ...BASE,
      ...tail(`${TOOLS},Bash(mix test:*),Bash(just:*)`),
    ]);
  });

  test("granted network opens the web, and no more", () => {
    expect(invocation({ network: true }).argv).toEqual([
      ...BASE,
      ...["--permission-mode", "dontAsk", "--tools", `Read,Grep,Glob,Bash,${WEB}`],
      ...["--allowedTools", WEB, "--disallowedTools", `${WRITE},${NEVER},Bash(wc:*)`],
    ]);
    expect(invocation({ network: true, mode: "edit" }).argv).toEqual([
      ...BASE,
      ...["--permission-mode", "acceptEdits", "--allowedTools", `${TOOLS},${WEB}`],
      ...["--disallowedTools", NEVER],
    ]);
  });

  test("in a folder below it is given the whole working tree", () => {
    const { argv } = invocation({ cwd: "/repo/sub", root: "/repo" });
    const tail = ["--add-dir", "/repo", ...readOnly];
    expect(argv.slice(BASE.length, BASE.length + tail.length)).toEqual(tail);
  });

  test("effort and an earlier conversation of its own are passed on", () => {
    const session = JSON.stringify({ provider: "claude", id: "0a-1" });
    const told = (changes: Partial<AgentTask>) =>
      invocation({ provider: "claude", ...changes }).argv.filter((word) =>
        /^--(effort|resume)/.test(word),
      );
    expect(told({ effort: "high", session })).toEqual(["--effort=high", "--resume=0a-1"]);
    expect(invocation({ effort: "high" }).env).toMatchObject({ CLAUDE_CODE_EFFORT_LEVEL: "high" });
    expect(invocation({}).env).not.toHaveProperty("CLAUDE_CODE_EFFORT_LEVEL");
    expect(told({ session: JSON.stringify({ provider: "codex", id: "0a-1" }) })).toEqual([]);
    expect(told({ session: JSON.stringify({ provider: "claude", id: "-x" }) })).toEqual([]);
    expect(told({ session: "no session of ours" })).toEqual([]);
  });

  test("the schema goes behind the prompt", () => {
    const claude = createClaude("c", "");
    expect(claude.promptText(agentTask("/", { prompt: "Do it." }))).toBe("Do it.");
    const text = claude.promptText(agentTask("/", { prompt: "Do it.", schema: SCHEMA }));
    expect(text).toStartWith("Do it.\n\nRespond with ONLY a single JSON object");
    expect(text).toEndWith(JSON.stringify(SCHEMA, null, 2));
  });
});

describe("what claude printed", () => {
  const usage = { total_cost_usd: 0.02, usage: { input_tokens: 10, output_tokens: 20 } };
  const read = {
    inputTokens: 10,
    outputTokens: 20,
    costMicros: 20_000,
    raw: '{"cost_usd":0.02,"input_tokens":10,"output_tokens":20}',
  };

  test("an envelope", async () => {
    expect(await interpret(envelope({ result: " hello ", ...usage }))).toEqual({
      ok: true,
      text: " hello ",
      usage: read,
    });
  });

  test("tokens of all turns and models where the envelope has them", async () => {
    const modelUsage = {
      big: { inputTokens: 100, outputTokens: 7 },
      small: { inputTokens: 11, outputTokens: 2 },
    };
    const answer = await interpret(envelope({ result: "x", ...usage, modelUsage }));
    expect(answer).toMatchObject({
      usage: { inputTokens: 111, outputTokens: 9, costMicros: 20_000 },
    });
  });

  test("an array of events: the last result counts", async () => {
    const events = [
      { type: "system" },
      { type: "result", result: "first" },
      { type: "result", result: "last", ...usage },
      { type: "other", result: "no" },
    ];
    expect(await interpret(JSON.stringify(events))).toEqual({
      ok: true,
      text: "last",
      usage: read,
    });
  });

  test("events in lines: the last result counts, however long the others are", async () => {
    const events = [
      { type: "system", subtype: "init" },
      { type: "assistant", message: { content: [{ type: "text", text: "rate limit" }] } },
      { type: "user", message: { content: "x".repeat(70_000_000) } },
      { stop_reason: "end_turn", type: "result", result: "last", ...usage },
    ];
    const lines = events.map((event) => JSON.stringify(event));
    const said = { ok: true as const, text: "last", usage: read };
    expect(await interpret(lines.join("\n"))).toEqual(said);
    expect(await interpret(lines.slice(3).join("\n"))).toEqual(said);
    expect(await interpret(lines.slice(0, 3).join("\n"))).toMatchObject({ code: "output_limit" });
  });

  test("events without a result are no answer, nor the reason of a failure", async () => {
    const event = JSON.stringify({ type: "assistant", message: "Credit balance is too low" });
    expect(await interpret(event)).toMatchObject({ outcome: "empty" });
    expect(await interpret(`${event}\n${event}`, {}, FAILED)).toMatchObject({
      outcome: "failed",
      message: 'workflow provider "claude" failed: exit status 1 (no stderr output captured)',
    });
  });

  test("plain text passes, fences and all, where there is no schema", async () => {
    const text = "Look:\n```json\n{}\n```";
    expect(await interpret(`\n${text}\n`)).toEqual({ ok: true, text });
  });

  test.each([
    ['```json\n{"ok":true}\n```', '{"ok":true}'],
    ['Here is [the JSON]: {"ok":true} - done', '{"ok":true}'],
    ["no json here", "no json here"],
  ])("with a schema %j is %j", async (result, text) => {
    expect(await interpret(envelope({ result }), { schema: SCHEMA })).toEqual({ ok: true, text });
  });

  test("nothing", async () => {
    const message = 'workflow provider "claude" produced no output: empty output';
    expect(await interpret(" \n")).toEqual({ ok: false, outcome: "empty", message });
  });

  test.each([
    [{ result: "it broke", is_error: true }, "it broke"],
    [{ subtype: "error_max_turns", is_error: true }, "error_max_turns"],
    [{ subtype: "error_during_execution" }, "error_during_execution"],
    [{ subtype: "", is_error: true }, "no reason given"],
  ])("an error envelope %j", async (fields, reason) => {
    expect(await interpret(envelope(fields))).toMatchObject({
      ok: false,
      outcome: "failed",
      message: `workflow provider "claude" produced no output: claude CLI reported an error: ${reason}`,
    });
  });

  test("a long error is cut at 4096 bytes with a mark", async () => {
    const answer = await interpret(envelope({ result: "é".repeat(3000), is_error: true }));
    if (answer.ok) throw new Error("it succeeded");
    expect(answer.message).toEndWith(`: ${"é".repeat(2048)} [truncated 1904 bytes]`);
  });

  test("a failed process gives the envelope's reason", async () => {
    const out = envelope({ result: "Credit balance is too low", is_error: true, ...usage });
    expect(await interpret(out, {}, FAILED)).toEqual({
      ok: false,
      outcome: "quota",
      message:
        'Credit balance is too low: workflow provider "claude" failed: exit status 1 (no stderr output captured)',
      output: "Credit balance is too low",
      usage: read,
    });
  });

  test("stderr of a failed process is cut at 4096 bytes with a mark", async () => {
    const answer = await interpret("", {}, FAILED, "e".repeat(5000));
    expect(answer).toMatchObject({
      message: expect.stringMatching(/exit status 1: e{4096} \[truncated 904 bytes\]$/),
    });
  });

  test("a refusal is one, whether claude calls it an error or not", async () => {
    const refused = { result: "I can't help with that.", stop_reason: "refusal" };
    const expected = {
      outcome: "refused",
      message: 'workflow provider "claude" refused: I can\'t help with that.',
    };
    expect(await interpret(envelope(refused))).toMatchObject(expected);
    expect(await interpret(envelope({ ...refused, is_error: true }), {}, FAILED)).toMatchObject(
      expected,
    );
  });

  test("denied tools matter only where no answer came", async () => {
    const denied = { permission_denials: [{ tool_name: "Bash" }, { tool_name: "Bash" }] };
    expect(await interpret(envelope({ result: "", ...denied }))).toMatchObject({
      outcome: "permission_denied",
      message: expect.stringContaining("not permitted to use Bash and gave no answer"),
    });
    expect(await interpret(envelope({ result: "fine", ...denied }))).toMatchObject({
      text: "fine",
    });
    expect(await interpret(envelope({ result: "" }))).toMatchObject({ outcome: "empty" });
  });
});

describe("a conversation of claude", () => {
  const session = JSON.stringify({
    provider: "claude",
    id: "c-1",
    used: { cost_usd: 0.03, input_tokens: 100, output_tokens: 5 },
  });
  const task = { provider: "claude", session };
  const models = { m: { inputTokens: 150, outputTokens: 9 } };
  const resumed = { result: "more", total_cost_usd: 0.05, modelUsage: models };

  test("is named in the answer, with all that it used", async () => {
    const answer = await interpret(envelope({ session_id: "c-1", ...resumed }));
    expect(answer).toMatchObject({
      usage: { costMicros: 50_000 },
      session: JSON.stringify({
        provider: "claude",
        id: "c-1",
        used: { cost_usd: 0.05, input_tokens: 150, output_tokens: 9 },
      }),
    });
  });

  test("that is taken up again is charged with what is new in it", async () => {
    expect(await interpret(envelope({ session_id: "c-1", ...resumed }), task)).toMatchObject({
      usage: {
        costMicros: 20_000,
        inputTokens: 50,
        outputTokens: 4,
        raw: '{"cost_usd":0.02,"input_tokens":50,"output_tokens":4}',
      },
      session: expect.stringContaining('"cost_usd":0.05'),
    });
    expect(await interpret(envelope({ session_id: "c-2", ...resumed }), task)).toMatchObject({
      usage: { costMicros: 50_000 },
    });
  });

  test("that is not there is told from other failures", async () => {
    const gone = "No conversation found with session ID: c-1";
    expect(await interpret("", task, FAILED, gone)).toMatchObject({ ok: false, lostSession: true });
    const nothing = { subtype: "error_during_execution", is_error: true, num_turns: 0 };
    expect(await interpret(envelope(nothing), task, FAILED, gone)).toMatchObject({
      lostSession: true,
    });
    expect(await interpret("", {}, FAILED, gone)).not.toHaveProperty("lostSession");
    const broke = envelope({ is_error: true, result: "broke" });
    expect(await interpret(broke, task, FAILED)).not.toHaveProperty("lostSession");
    expect(await interpret("", task, { ...FAILED, cancelled: true })).not.toHaveProperty(
      "lostSession",
    );
    expect(await interpret("", task, { ...FAILED, exitCode: 137 })).not.toHaveProperty(
      "lostSession",
    );
  });

  test("is told of an effort that claude did not take", async () => {
    const warning = "Warning: Unknown --effort value 'silly' — ignoring it.";
    const good = envelope({ result: "done" });
    expect(await interpret(good, { effort: "silly" }, GOOD, `${warning}\n`)).toMatchObject({
      ok: true,
      notes: [`workflow provider "claude": ${warning}`],
    });
    expect(await interpret(good, { effort: "high" }, GOOD, "other")).not.toHaveProperty("notes");
  });
});
