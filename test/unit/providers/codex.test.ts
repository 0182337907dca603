import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createCodex } from "../../../src/providers/codex.ts";
import type { AgentTask, ProcessEnd } from "../../../src/providers/contract.ts";
import {
  agentTask,
  callFiles,
  runTask,
  shellProgram,
  testFolder,
} from "../../support/provider-fixtures.ts";

const GOOD: ProcessEnd = { exitCode: 0, timedOut: false, outputLimited: false, cancelled: false };

function argvOf(changes: Partial<AgentTask>, withSchema = false): readonly string[] {
  const files = {
    ...{ dir: "/c", prompt: "/c/prompt", output: "/c/last", usage: "/c/usage" },
    ...{ stdout: "/c/out", stderr: "/c/err" },
    ...(withSchema ? { schema: "/c/schema" } : {}),
  };
  return createCodex("/bin/codex").invocation(agentTask("/repo", changes), files).argv;
}

/** What codex makes of files that hold these texts; an absent text is a missing file. */
async function interpret(
  texts: { out?: string; err?: string; last?: string },
  end = GOOD,
  changes: Partial<AgentTask> = {},
) {
  using folder = testFolder();
  const files = callFiles(folder.join("call"));
  if (texts.out !== undefined) writeFileSync(files.stdout, texts.out);
  if (texts.err !== undefined) writeFileSync(files.stderr, texts.err);
  if (texts.last !== undefined) writeFileSync(files.output, texts.last);
  return await createCodex("codex").interpret(agentTask(folder.path, changes), files, end, 60);
}

describe("codex command line", () => {
  const writing = (access: boolean) => [
    ...["--sandbox", "workspace-write"],
    ...["-c", `sandbox_workspace_write.network_access=${access}`],
  ];
  const readOnly = ["--sandbox", "read-only"];

  test.each([
    ["read-only", false, readOnly],
    ["", false, readOnly],
    ["unknown", false, readOnly],
    ["edit", false, writing(false)],
    ["test", false, writing(false)],
    ["check", false, writing(false)],
    ["edit", true, writing(true)],
    ["read-only", true, writing(true)],
  ])("mode %p with network %p", (mode, network, sandbox) => {
    const argv = argvOf({ mode, network });
    const from = argv.indexOf("--sandbox");
    expect(argv.slice(from, from + sandbox.length)).toEqual(sandbox);
    expect(argv.filter((word) => word === "--sandbox")).toHaveLength(1);
  });

  test("in full, the prompt nowhere in it (weakness P6)", () => {
    expect(argvOf({ model: "gpt-x", prompt: "-secret prompt" }, true)).toEqual([
      ...["/bin/codex", "exec", "--cd", "/repo", "--skip-git-repo-check"],
      ...["--output-last-message", "/c/last", "--json", "--sandbox", "read-only"],
      ...["-c", 'web_search="disabled"', "--model", "gpt-x", "--output-schema", "/c/schema", "-"],
    ]);
  });

  test("granted network leaves searching the web to the user's own settings", () => {
    expect(argvOf({ network: true }).join(" ")).not.toContain("web_search");
  });

  test("in a folder below it may write in the whole working tree", () => {
    const below = { cwd: "/repo/sub", root: "/repo" };
    const argv = argvOf({ mode: "edit", ...below });
    const at = argv.indexOf("--add-dir");
    expect(argv.slice(at, at + 2)).toEqual(["--add-dir", "/repo"]);
    expect(argvOf(below)).not.toContain("--add-dir");
    expect(argvOf({ mode: "edit" })).not.toContain("--add-dir");
  });

  test("effort and an earlier conversation of its own are passed on", () => {
    const session = JSON.stringify({ provider: "codex", id: "0a-1" });
    const argv = argvOf({ effort: 'very "high"', session });
    expect(argv.slice(-5)).toEqual([
      ...["-c", 'model_reasoning_effort="very \\"high\\""', "resume", "0a-1", "-"],
    ]);
    for (const other of [
      JSON.stringify({ provider: "claude", id: "0a-1" }),
      JSON.stringify({ provider: "codex", id: "--last" }),
      "0a-1",
    ]) {
      expect(argvOf({ session: other })).not.toContain("resume");
    }
  });

  test("a prompt of 2 MB arrives on stdin", async () => {
    using folder = testFolder();
    const codex = shellProgram(
      folder.join("codex"),
      'while [ $# -gt 0 ]; do [ "$1" = --output-last-message ] && out=$2; shift; done',
      'wc -c >"$out"',
    );
    const task = agentTask(folder.path, { prompt: "-".repeat(2_000_000) });
    const answer = await runTask(createCodex(codex), task, folder.join("call"));
    expect(answer).toEqual({ ok: true, text: "2000000" });
  });
});

describe("what codex leaves behind", () => {
  const usage = '{"input_tokens":240,"cached_input_tokens":40,"output_tokens":14}';

  test("the answer is the last message, the usage comes from the events", async () => {
    const out = [
      '{"type":"thread.started","thread_id":"t"}',
      "not json",
      '{"type":"turn.completed","usage":{"input_tokens":1}}',
      `{"type":"turn.completed","usage":${usage}}`,
      '{"type":"something.new","error":[]}',
      '{"type":"turn.comple',
    ].join("\n");
    expect(await interpret({ out, last: "\n the answer \n" })).toEqual({
      ok: true,
      text: "the answer",
      usage: { inputTokens: 240, cachedInputTokens: 40, outputTokens: 14, raw: usage },
      session: JSON.stringify({ provider: "codex", id: "t", used: JSON.parse(usage) }),
    });
  });

  test("an event line of any length is passed over, the ones around it are read", async () => {
    const out = `{"type":"x","text":"${"y".repeat(3_000_000)}"}\n{"type":"turn.completed","usage":${usage}}`;
    expect(await interpret({ out, last: "a" })).toMatchObject({ usage: { outputTokens: 14 } });
  });

  test("stdout is never the answer", async () => {
    const empty = {
      ok: false,
      outcome: "empty",
      message: "codex agent produced no output",
    } as const;
    expect(await interpret({ out: "chatter" })).toEqual(empty);
    expect(await interpret({ out: "chatter", last: " \n" })).toEqual(empty);
  });

  test("the last error event is the reason", async () => {
    const out = [
      '{"type":"error","message":"Reconnecting... 1/5"}',
      '{"type":"item.completed","item":{"type":"agent_message","text":"error: quota of a user"}}',
      '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}',
    ].join("\n");
    expect(await interpret({ out, err: "" }, { ...GOOD, exitCode: 1 })).toEqual({
      ok: false,
      outcome: "permission_denied",
      message:
        "unexpected status 401 Unauthorized: codex agent failed: exit status 1 (no stderr output captured)",
    });
  });

  test("plain lines on stdout are looked at too, events that quote the words are not", async () => {
    const out = 'ERROR: You\'ve hit your usage limit.\n{"type":"item.completed","x":"error: no"}';
    expect(await interpret({ out, err: "boom" }, { ...GOOD, exitCode: 1 })).toMatchObject({
      outcome: "quota",
      message: "ERROR: You've hit your usage limit.: codex agent failed: exit status 1: boom",
    });
  });
});

describe("a conversation of codex", () => {
  const used = { input_tokens: 200, cached_input_tokens: 40, output_tokens: 10 };
  const session = JSON.stringify({ provider: "codex", id: "t", used });
  const events = (thread: string) =>
    [
      `{"type":"thread.started","thread_id":"${thread}"}`,
      '{"type":"turn.completed","usage":{"input_tokens":240,"cached_input_tokens":40,"output_tokens":14}}',
    ].join("\n");
  const failed = { ...GOOD, exitCode: 1 };
  const gone = "Error: thread/resume: no rollout found for thread id t";

  test("that is taken up again is charged with what is new in it", async () => {
    const resumed = await interpret({ out: events("t"), last: "a" }, GOOD, { session });
    expect(resumed).toMatchObject({
      usage: { inputTokens: 40, cachedInputTokens: 0, outputTokens: 4 },
      session: expect.stringContaining('"input_tokens":240'),
    });
    const other = await interpret({ out: events("other"), last: "a" }, GOOD, { session });
    expect(other).toMatchObject({ usage: { inputTokens: 240 } });
  });

  test("that is not there is told from other failures", async () => {
    expect(await interpret({ err: gone }, failed, { session })).toMatchObject({
      ok: false,
      lostSession: true,
    });
    expect(await interpret({ err: gone }, failed)).not.toHaveProperty("lostSession");
    expect(await interpret({ out: events("t") }, failed, { session })).not.toHaveProperty(
      "lostSession",
    );
  });
});
