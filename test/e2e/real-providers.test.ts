/** The real Codex and Claude Code command lines, driven by our providers, against a model on loopback. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { JsonObject } from "../../src/lib/json.ts";
import { createClaude } from "../../src/providers/claude.ts";
import { createCodex } from "../../src/providers/codex.ts";
import type { AgentTask, ProcessProvider, ProviderResult } from "../../src/providers/contract.ts";
import {
  type ModelRequest,
  type ModelTurn,
  startModelServer,
  TURN_USAGE,
} from "../support/model-server.ts";
import {
  agentTask,
  PROVIDER_CLIS_HINT,
  providerClis,
  providerEnvironment,
  runTask,
  testFolder,
} from "../support/provider-fixtures.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`real provider tests are skipped: ${PROVIDER_CLIS_HINT}`);

const NOTE = "the secret word is banana";
const SCHEMA: JsonObject = {
  type: "object",
  properties: { secret: { type: "string" } },
  required: ["secret"],
  additionalProperties: false,
};
const ANSWER = '{"secret":"banana"}';

type Name = "codex" | "claude";
const NAMES: readonly Name[] = ["codex", "claude"];

interface Asked {
  readonly result: ProviderResult;
  readonly requests: readonly ModelRequest[];
  /** Whether the worker made `new.txt` in its directory. */
  readonly wrote: boolean;
}

/** Runs one task in a folder with `note.txt`, the model answering by `script`. */
async function ask(
  name: Name,
  script: (request: ModelRequest) => ModelTurn,
  changes: Partial<AgentTask> = {},
): Promise<Asked> {
  if (clis === undefined) throw new Error(PROVIDER_CLIS_HINT);
  using folder = testFolder();
  await using server = startModelServer(script);
  const variables = providerEnvironment(folder, server.url, clis);
  const work = folder.join("work");
  mkdirSync(work);
  writeFileSync(folder.join("work/note.txt"), NOTE);
  const provider: ProcessProvider =
    name === "codex" ? createCodex(clis.codex) : createClaude(clis.claude, "");
  const task = agentTask(work, { provider: name, prompt: "Read note.txt.", ...changes });
  const result = await runTask(provider, task, folder.join("call"), { variables });
  return { result, requests: server.requests, wrote: existsSync(folder.join("work/new.txt")) };
}

/** Has the model read the note, then say `answer`. */
function afterReading(answer: string): (request: ModelRequest) => ModelTurn {
  const command = afterCommand("cat note.txt", answer);
  return (request) => {
    const turn = command(request);
    if (!("tool" in turn) || request.api === "responses") return turn;
    return { tool: "Read", input: { file_path: "note.txt" } };
  };
}

/** Has the model run one shell command, then say `answer`. */
function afterCommand(command: string, answer: string): (request: ModelRequest) => ModelTurn {
  return ({ api, toolResults }) => {
    if (toolResults.length > 0) return { say: answer };
    return api === "responses"
      ? { tool: "exec_command", input: { cmd: command } }
      : { tool: "Bash", input: { command, description: "Run a command" } };
  };
}

describe.skipIf(clis === undefined).each(NAMES)("real %s", (name) => {
  test("uses a tool, gets its result to the model, and answers by the schema", async () => {
    const { result, requests } = await ask(name, afterReading(ANSWER), {
      schema: SCHEMA,
    });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.text).toContain("Read note.txt.");
    expect(requests[0]?.text).toContain("secret");
    expect(requests[1]?.toolResults).toEqual([expect.stringContaining(NOTE)]);
    expect(result).toMatchObject({
      ok: true,
      text: ANSWER,
      usage: { outputTokens: 2 * TURN_USAGE.output },
    });
  });

  test("may not write when it is to read only", async () => {
    const { requests, wrote } = await ask(name, afterCommand("echo x > new.txt", "done"));
    expect(requests.at(-1)?.toolResults).toHaveLength(1);
    expect(wrote).toBe(false);
  });

  test("takes a prompt that is long and looks like an option", async () => {
    const prompt = `--version ${"x".repeat(200_000)} end`;
    const { result, requests } = await ask(name, () => ({ say: "read it" }), { prompt });
    expect(result).toMatchObject({ ok: true, text: "read it" });
    expect(requests[0]?.text).toContain(prompt);
  });

  test("that gets no key accepted is permission_denied", async () => {
    const { result } = await ask(name, () => ({ status: 401, error: "bad key" }));
    expect(result).toMatchObject({ ok: false, outcome: "permission_denied" });
  });

  test("that is throttled fails for now", async () => {
    const { result } = await ask(name, () => ({ status: 429, error: "slow down" }));
    expect(result).toMatchObject({ ok: false, outcome: "failed", transient: true });
  });

  test("that says nothing is empty", async () => {
    const { result } = await ask(name, () => ({ say: "" }));
    expect(result).toMatchObject({ ok: false, outcome: "empty" });
  });
});

describe.skipIf(clis === undefined)("real codex", () => {
  test("counts input and cached tokens over all turns", async () => {
    const { result } = await ask("codex", afterReading("done"));
    expect(result.usage).toMatchObject({
      inputTokens: 2 * TURN_USAGE.input,
      cachedInputTokens: 2 * TURN_USAGE.cached,
    });
  });

  test("with its quota used up is quota", async () => {
    const turn = { status: 429, error: "limit", errorType: "usage_limit_reached" };
    const { result } = await ask("codex", () => turn);
    expect(result).toMatchObject({
      outcome: "quota",
      message: expect.stringMatching(/^You.ve hit your usage limit.*codex agent failed/),
    });
  });
});

describe.skipIf(clis === undefined)("real claude", () => {
  test("reports what it cost", async () => {
    const { result } = await ask("claude", afterReading("done"));
    expect(result.usage?.inputTokens).toBe(2 * (TURN_USAGE.input - TURN_USAGE.cached));
    expect(result.usage?.costMicros).toBeGreaterThan(0);
  });

  test("that wraps its JSON in prose is still understood", async () => {
    const say = `Here is [the JSON]:\n\`\`\`json\n${ANSWER}\n\`\`\``;
    const { result } = await ask("claude", () => ({ say }), { schema: SCHEMA });
    expect(result).toMatchObject({ ok: true, text: ANSWER });
  });

  test("that was denied a tool and gave no answer is permission_denied", async () => {
    const outside: ModelTurn = { tool: "Read", input: { file_path: "/etc/passwd" } };
    const { result } = await ask("claude", ({ toolResults }) =>
      toolResults.length > 0 ? { say: "" } : outside,
    );
    expect(result).toMatchObject({ outcome: "permission_denied" });
  });

  test("without credit is quota", async () => {
    const error = "Your credit balance is too low to access the Anthropic API.";
    const { result } = await ask("claude", () => ({ status: 400, error }));
    expect(result).toMatchObject({ outcome: "quota" });
  });

  test("whose model refuses is refused", async () => {
    const { result } = await ask("claude", () => ({ say: "No.", refused: true }));
    expect(result).toMatchObject({ outcome: "refused" });
  });

  test("cannot leave work in the background that replaces its answer", async () => {
    const background = {
      tool: "Bash",
      input: { command: "cat note.txt", description: "d", run_in_background: true },
    };
    const { result, requests } = await ask(
      "claude",
      ({ toolResults }) =>
        toolResults.length > 0 ? { say: `answer ${toolResults.length}` } : background,
      { mode: "test" },
    );
    expect(requests).toHaveLength(2);
    expect(result).toMatchObject({ text: "answer 1" });
  });
});
