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
async function interpret(texts: { out?: string; err?: string; last?: string }, end = GOOD) {
  using folder = testFolder();
  const files = callFiles(folder.join("call"));
  if (texts.out !== undefined) writeFileSync(files.stdout, texts.out);
  if (texts.err !== undefined) writeFileSync(files.stderr, texts.err);
  if (texts.last !== undefined) writeFileSync(files.output, texts.last);
  return await createCodex("codex").interpret(agentTask(folder.path), files, end, 60);
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
      ...["--model", "gpt-x", "--output-schema", "/c/schema", "-"],
    ]);
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
