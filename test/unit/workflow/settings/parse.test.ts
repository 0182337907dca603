import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseSettings, type SettingsScope } from "../../../../src/workflow/settings/parse.ts";

function faults(content: object, scope: SettingsScope = "user"): readonly string[] {
  const parsed = parseSettings(JSON.stringify(content), scope);
  return parsed.faults.map(({ message, hint }) =>
    hint === undefined ? message : `${message}; ${hint}`,
  );
}

test("a file of every setting says each in its one form", () => {
  const content = {
    provider: " claude ",
    codex: "/opt/codex",
    claude: "claude",
    claude_tools: ["Bash(x:*)", "Read"],
    fallback: "codex, claude",
    provider_concurrency: "codex=4",
    agent_cost_usd: 0.5,
    prices: { m: { input: 1, output: 2 } },
    allow_network: true,
    strict: true,
    include_dirty: true,
    links: ["node_modules", ".venv"],
    resume_after_quota: true,
    notify: ["notify-send", "done", ""],
    limits: { max_agents: 1, max_budget_usd: "1.50", agent_timeout: 0, max_active_runs: 2 },
    gc: { older_than: 0, include_failed: true },
    providers: { gemini: "gemini -p x" },
    models: { claude: "opus" },
  };
  const { said, faults } = parseSettings(JSON.stringify(content), "user");
  expect(faults).toEqual([]);
  expect(Object.fromEntries(said.map(({ key, value }) => [key, value]))).toMatchObject({
    provider: "claude",
    claude_tools: "Bash(x:*),Read",
    fallback: "codex,claude",
    agent_cost_usd: "0.5",
    prices: '{"m":{"input":1,"output":2}}',
    links: "node_modules,.venv",
    notify: ["notify-send", "done", ""],
    "limits.max_budget_usd": "1.50",
    "limits.agent_timeout": 0,
    "providers.gemini": "gemini -p x",
    "models.claude": "opus",
  });
});

describe("a fault names the setting", () => {
  test.each([
    [{ provder: "x" }, "no setting is called provder; did you mean provider?"],
    [
      { limits: { maxAgent: 1 } },
      "no setting is called limits.maxAgent; did you mean limits.max_agents?",
    ],
    [{ max_agents: 1 }, "no setting is called max_agents; did you mean limits.max_agents?"],
    [{ limit: {} }, "no setting is called limit; did you mean limits?"],
    [{ constructor: 1 }, "no setting is called constructor"],
    [{ limits: { toString: 1 } }, "no setting is called limits.toString"],
    [{ limits: 5 }, "limits must be an object"],
    [{ limits: { max_agents: 0 } }, "limits.max_agents must be a whole number from 1"],
    [{ limits: { max_agents: "5" } }, "limits.max_agents must be a whole number from 1"],
    [
      { limits: { message_limit: 257 } },
      "limits.message_limit must be a whole number from 1 to 256",
    ],
    [{ limits: { max_budget_usd: -1 } }, "limits.max_budget_usd must be US dollars, such as 1.50"],
    [{ provider: "native" }, "provider must be the name of a provider, such as codex or claude"],
    [{ links: ["../out"] }, "links must be folders inside the repository"],
    [
      { notify: [] },
      "notify must be a command: text for the shell, or a list of a program and its arguments",
    ],
    [
      { notify: "" },
      "notify must be a command: text for the shell, or a list of a program and its arguments",
    ],
    [
      { providers: { codex: "x" } },
      "providers.codex: codex is built in; name its program with codex",
    ],
    [
      { providers: { "my-model": "a", my_model: "b" } },
      "providers.my_model means the same provider as providers.my-model",
    ],
  ])("%j", (content, message) => {
    expect(faults(content)).toEqual([message]);
  });

  test("a repository does not say what is the user's alone", () => {
    const content = { gc: { older_than: 0 }, limits: { max_active_runs: 1 } };
    expect(faults(content, "repository")).toEqual([
      "gc.older_than is not for a repository to say; say it in your own file",
      "limits.max_active_runs is not for a repository to say; say it in your own file",
    ]);
  });

  test("every one, in the order of their lines", () => {
    const text = '{\n"provder": 1,\n"limits": {\n"max_agents": 0},\n"strict": 1}';
    expect(parseSettings(text, "user").faults.map(({ line }) => line)).toEqual([2, 4, 5]);
  });

  test("control characters of a name are written out", () => {
    expect(faults({ "a\u001b[31m\u202e": 1 })).toEqual([
      "no setting is called a\\u{1b}[31m\\u{202e}",
    ]);
  });
});

test("the example of README.md is sound", async () => {
  const readme = await Bun.file(join(import.meta.dir, "../../../../README.md")).text();
  const example = /```json\n([^`]*"provider"[^`]*)```/.exec(readme)?.[1] ?? "";
  const { said, faults } = parseSettings(example, "user");
  expect(faults).toEqual([]);
  expect(said.length).toBeGreaterThan(5);
});
