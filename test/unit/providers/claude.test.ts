import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createClaude } from "../../../src/providers/claude.ts";
import type { AgentTask, ProcessEnd } from "../../../src/providers/contract.ts";
import { agentTask, callFiles, testFolder } from "../../support/provider-fixtures.ts";

const GOOD: ProcessEnd = { exitCode: 0, timedOut: false, outputLimited: false, cancelled: false };
const FAILED = { ...GOOD, exitCode: 1 };
const SCHEMA = { type: "object", properties: { ok: { type: "boolean" } } };

const READ_TOOLS = "Read,Grep,Glob,LS,Bash(ls:*),Bash(cat:*),Bash(grep:*),Bash(wc:*)";
const EDIT_TOOLS =
  "Read,Grep,Glob,LS,Edit,Write,Bash(go test:*),Bash(go build:*),Bash(go vet:*),Bash(gofmt:*)," +
  "Bash(npm test:*),Bash(npm run:*),Bash(yarn:*),Bash(pnpm:*),Bash(deno test:*),Bash(deno fmt:*)," +
  "Bash(deno lint:*),Bash(deno check:*),Bash(deno task:*),Bash(pytest:*),Bash(cargo:*),Bash(make:*)," +
  "Bash(xcodebuild:*),Bash(swift:*),Bash(swiftlint:*),Bash(ls:*),Bash(cat:*),Bash(grep:*),Bash(wc:*)";
const BASE = ["/bin/claude", "-p", "--output-format", "json", "--safe-mode", "--strict-mcp-config"];

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
  test("reads only unless the mode writes", () => {
    const readOnly = ["--allowedTools", READ_TOOLS, "--disallowedTools", "Edit,Write,NotebookEdit"];
    expect(invocation({}).argv).toEqual([...BASE, ...readOnly]);
    expect(invocation({ model: "opus" }, "Bash(rg:*)").argv).toEqual([
      ...BASE,
      ...["--model", "opus"],
      ...readOnly,
    ]);
  });

  test.each(["edit", "test", "check"])(
    "mode %s works with the edit tools and the extra ones",
    (mode) => {
      const tail = (tools: string) => [
        ...["--permission-mode", "acceptEdits", "--allowedTools", tools],
        ...["--disallowedTools", "Bash(curl:*),Bash(gh:*)"],
      ];
      expect(invocation({ mode }).argv).toEqual([...BASE, ...tail(EDIT_TOOLS)]);
      expect(invocation({ mode }, "Bash(mix test:*),Bash(just:*)").argv).toEqual([
        ...BASE,
        ...tail(`${EDIT_TOOLS},Bash(mix test:*),Bash(just:*)`),
      ]);
    },
  );

  test("granted network is ignored, and said so", () => {
    expect(invocation({ network: true, label: "fetch" }).notices).toEqual([
      "agent fetch: the claude provider has no network to grant; ignored",
    ]);
    expect(invocation({}).notices).toEqual([]);
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
