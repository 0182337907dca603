import { describe, expect, test } from "bun:test";
import { createCommand } from "../../../src/providers/command.ts";
import type { AgentTask, ProviderResult } from "../../../src/providers/contract.ts";
import {
  agentTask,
  type RunTaskOptions,
  runTask,
  testFolder,
} from "../../support/provider-fixtures.ts";

async function ask(
  command: string,
  changes: Partial<AgentTask> = {},
  options: RunTaskOptions = {},
): Promise<ProviderResult> {
  using folder = testFolder();
  const task = agentTask(folder.path, { provider: "mine", ...changes });
  return await runTask(createCommand("mine", command), task, folder.join("call"), options);
}

const PROMPT_OR_UNSET =
  'env | grep -q ^PALLIUM_WORKFLOW_PROMPT= && echo "$PALLIUM_WORKFLOW_PROMPT" || echo unset';
const PRINT = (name: string) => `printf '%s\\n' "$PALLIUM_WORKFLOW_${name}"`;

describe("configured command", () => {
  test("is told about its call", async () => {
    const names = ["RUN_ID", "AGENT_ID", "PROVIDER", "LABEL", "MODE", "MODEL", "REPO", "NETWORK"];
    const answer = await ask(names.map(PRINT).join("; "), {
      label: "a 'label' $HOME\nb",
      mode: "test",
      model: "m",
      repo: "/some/repo",
      network: true,
    });
    expect(answer).toMatchObject({
      text: "wf-test\nagent-test\nmine\na 'label' $HOME\nb\ntest\nm\n/some/repo\n1",
    });
  });

  test("is told how hard to think and what to go on with, and may name its conversation", async () => {
    const command = `${PRINT("EFFORT")}; ${PRINT("SESSION")}; echo '{"session":"room 7"}' >"$PALLIUM_WORKFLOW_USAGE_FILE"`;
    const first = await ask(command, { effort: "deep" });
    expect(first).toMatchObject({ text: "deep" });
    const { session } = first as { session?: string };
    expect(await ask(command, { ...(session === undefined ? {} : { session }) })).toMatchObject({
      text: "room 7",
      session,
    });
    expect(await ask(command, { session: '{"provider":"other","id":"x"}' })).toMatchObject({
      ok: false,
      outcome: "empty",
    });
  });

  test("gets the prompt on stdin, in the file, and in the environment", async () => {
    const command = `cat; printf '|'; cat "$PALLIUM_WORKFLOW_PROMPT_FILE"; printf '|'; ${PRINT("PROMPT")}`;
    expect(await ask(command, { prompt: "-x 'q'" })).toEqual({
      ok: true,
      text: "-x 'q'|-x 'q'|-x 'q'",
    });
  });

  test("a prompt over 100 kB is in the file only, and the call still starts", async () => {
    const command = `${PROMPT_OR_UNSET}; wc -c <"$PALLIUM_WORKFLOW_PROMPT_FILE"`;
    expect(await ask(command, { prompt: "é".repeat(50_000) })).toMatchObject({
      text: expect.stringMatching(/^éé.*\n\s*100000$/),
    });
    expect(await ask(command, { prompt: `${"é".repeat(50_000)}.` })).toMatchObject({
      text: expect.stringMatching(/^unset\n\s*100001$/),
    });
    expect(await ask(command, { prompt: "x".repeat(300_000) })).toMatchObject({ ok: true });
  });

  test("a prompt that no environment can hold is in the file only", async () => {
    const command = `${PROMPT_OR_UNSET}; echo "$PALLIUM_WORKFLOW_LABEL"`;
    expect(await ask(command, { prompt: "a\0b", label: "c\0d" })).toMatchObject({
      text: "unset\ncd",
    });
  });

  test("has a schema file exactly when there is a schema", async () => {
    const command = `${PRINT("SCHEMA_FILE")}; cat "$PALLIUM_WORKFLOW_SCHEMA_FILE" 2>/dev/null; echo .`;
    expect(await ask(command)).toMatchObject({ text: "." });
    const answer = await ask(command, { schema: { type: "object" } });
    expect(answer).toMatchObject({ text: expect.stringContaining('"type": "object"') });
  });

  test("runs in the task's directory", async () => {
    expect(await ask('[ "$(pwd -P)" = "$PALLIUM_WORKFLOW_CWD" ] && echo same')).toMatchObject({
      text: "same",
    });
  });

  test("answers by output file, else by stdout, trimmed", async () => {
    const both = 'echo noise; printf " from file \\n\\n" >"$PALLIUM_WORKFLOW_OUTPUT_FILE"';
    expect(await ask(both)).toEqual({ ok: true, text: "from file" });
    const blank = 'printf "\\n from stdout \\n"; echo >"$PALLIUM_WORKFLOW_OUTPUT_FILE"';
    expect(await ask(blank)).toEqual({ ok: true, text: "from stdout" });
  });

  test("no output is a failure of its own", async () => {
    expect(await ask("echo oops >&2")).toEqual({
      ok: false,
      outcome: "empty",
      message: 'workflow provider "mine" produced no output',
    });
  });

  test("a failure keeps stdout and the usage", async () => {
    const command = `echo part; echo '{"cost_usd":0.5}' >"$PALLIUM_WORKFLOW_USAGE_FILE"; echo bad >&2; exit 9`;
    expect(await ask(command)).toEqual({
      ok: false,
      outcome: "failed",
      message: 'workflow provider "mine" failed: exit status 9: bad',
      output: "part",
      usage: { costMicros: 500_000, raw: '{"cost_usd":0.5}' },
    });
  });

  test("a usage file that is torn is noted and no more", async () => {
    const command = `echo fine; printf '{"cost_usd":0.' >"$PALLIUM_WORKFLOW_USAGE_FILE"`;
    expect(await ask(command)).toEqual({
      ok: true,
      text: "fine",
      notes: ['workflow provider "mine" left a usage report that is not a JSON object; ignored'],
    });
  });

  test("an answer file that is a pipe or a folder cannot hang or break the call", async () => {
    expect(await ask('mkfifo "$PALLIUM_WORKFLOW_OUTPUT_FILE"; echo out')).toMatchObject({
      text: "out",
    });
    expect(await ask('mkdir "$PALLIUM_WORKFLOW_OUTPUT_FILE"; echo out')).toMatchObject({
      text: "out",
    });
  });

  test("an answer too long for a script is refused by name, not cut (weakness P4)", async () => {
    const answer = await ask("head -c 16777217 /dev/zero | tr '\\0' x");
    expect(answer).toMatchObject({ ok: false, outcome: "failed", code: "output_limit" });
    expect(answer).toMatchObject({ message: expect.stringContaining("16777217 bytes") });
  });

  test("a flood on stderr is kept in part, both ends, with a mark (weakness P4)", async () => {
    const flood = "echo first >&2; yes middle | head -c 3000000 >&2; echo last >&2; exit 1";
    const answer = await ask(flood);
    if (answer.ok) throw new Error("it succeeded");
    expect(answer.message.length).toBeLessThan(10_000);
    expect(answer.message).toMatch(
      /exit status 1: first\n[\s\S]*\[truncated \d+ bytes\][\s\S]*last$/,
    );
  });

  test("a timeout, an output limit and an interrupt end as such", async () => {
    expect(await ask("echo started; sleep 100", {}, { timeoutSeconds: 1 })).toMatchObject({
      outcome: "timeout",
      message: expect.stringContaining('timed out after 1s: workflow provider "mine" failed'),
      output: "started",
    });
    expect(await ask("yes", {}, { outputLimit: 100_000 })).toMatchObject({
      outcome: "failed",
      code: "output_limit",
    });
    const signal = AbortSignal.abort();
    expect(await ask("sleep 100", {}, { signal })).toMatchObject({ outcome: "cancelled" });
  });
});
