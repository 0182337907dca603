import { describe, expect, test } from "bun:test";
import {
  createProviders,
  providerVariable,
  resolveProviderName,
} from "../../../src/providers/resolve.ts";

function providers(variables: Record<string, string>, installed = ["codex", "claude"]) {
  return createProviders({
    variables,
    codexBinary: "codex",
    claudeBinary: "claude",
    models: {},
    findExecutable: (program) => (installed.includes(program) ? `/bin/${program}` : undefined),
  });
}

function codeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

describe("resolveProviderName", () => {
  const everything = { PALLIUM_WORKFLOW_PROVIDER: "fromenv", CLAUDECODE: "1" };

  test.each([
    ["codex", everything, "codex"],
    ["", everything, "fromenv"],
    [undefined, everything, "fromenv"],
    ["default", everything, "fromenv"],
    ["", { PALLIUM_WORKFLOW_PROVIDER: "default", CLAUDECODE: "1" }, "claude"],
    ["", { PALLIUM_WORKFLOW_PROVIDER: "" }, "codex"],
    ["", { CLAUDE_CODE_ENTRYPOINT: "cli" }, "claude"],
    ["", { CLAUDECODE: "" }, "codex"],
    [" claude ", {}, "claude"],
  ])("%p with %j is %s", (requested, variables, expected) => {
    expect(resolveProviderName(requested, variables as Record<string, string>)).toBe(expected);
  });

  test.each(["internal", "native"])("%s is reserved, wherever it comes from", (name) => {
    const message = `workflow agent provider "${name}" is reserved`;
    expect(() => resolveProviderName(name, {})).toThrow(message);
    expect(() => resolveProviderName("", { PALLIUM_WORKFLOW_PROVIDER: name })).toThrow(message);
    expect(codeOf(() => resolveProviderName(name, {}))).toBe("provider_reserved");
  });
});

test.each([
  ["ghost", "PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND"],
  [" my model-2.5 ", "PALLIUM_WORKFLOW_PROVIDER_MY_MODEL_2_5_COMMAND"],
  ["--x--", "PALLIUM_WORKFLOW_PROVIDER_X_COMMAND"],
  ["é", "PALLIUM_WORKFLOW_PROVIDER_DEFAULT_COMMAND"],
])("providerVariable(%p)", (name, variable) => {
  expect(providerVariable(name)).toBe(variable);
});

describe("createProviders", () => {
  const command = (name: string) => ({ [providerVariable(name)]: "cat" });
  const argv0 = (variables: Record<string, string>, name: string) => {
    const provider = providers(variables).get(name);
    if (provider.kind !== "process") throw new Error("not a process");
    const files = { dir: "/d", prompt: "p", output: "o", usage: "u", stdout: "1", stderr: "2" };
    const task = {
      ...{ runId: "", agentId: "", provider: name, label: "", mode: "read-only", model: "" },
      ...{ repo: "/", cwd: "/", root: "/", prompt: "", network: false, effort: "" },
    };
    return provider.invocation(task, files).argv[0];
  };

  test("a configured command replaces claude but never codex", () => {
    expect(argv0(command("claude"), "claude")).toBe("/bin/sh");
    expect(argv0({ [providerVariable("claude")]: "  " }, "claude")).toBe("/bin/claude");
    expect(argv0(command("codex"), "codex")).toBe("/bin/codex");
    expect(argv0(command("ghost"), "ghost")).toBe("/bin/sh");
  });

  test("an unknown provider names the variable to set", () => {
    const act = () => providers({}).get("ghost");
    expect(act).toThrow(
      'workflow agent provider "ghost" is not configured; set PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND',
    );
    expect(codeOf(act)).toBe("provider_not_configured");
  });

  test.each(["codex", "claude"])("%s that is not installed is named", (name) => {
    const act = () => providers({}, []).get(name);
    expect(act).toThrow(`needs the program ${name}`);
    expect(codeOf(act)).toBe("provider_not_installed");
  });

  test("the stub replaces every provider, unknown ones too", () => {
    const stubbed = providers({ PALLIUM_WORKFLOW_AGENT_STUB: "x" }, []);
    expect(stubbed.stubbed).toBe(true);
    expect(stubbed.get("ghost")).toMatchObject({ kind: "inline", name: "ghost" });
    expect(stubbed.get("codex").kind).toBe("inline");
    expect(providers({}).stubbed).toBe(false);
    expect(providers({ PALLIUM_WORKFLOW_AGENT_STUB: "" }).stubbed).toBe(false);
  });
});
