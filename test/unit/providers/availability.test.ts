import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { findExecutable } from "../../../src/platform/process/executable.ts";
import { providerAvailability, usableProvider } from "../../../src/providers/availability.ts";
import { shellProgram, type TestFolder, testFolder } from "../../support/provider-fixtures.ts";
import { provider } from "../../support/workflow.ts";

function look(folder: TestFolder, variables: Record<string, string> = {}) {
  return providerAvailability({
    variables,
    home: folder.path,
    codexBinary: "codex",
    findExecutable: (program) =>
      findExecutable(program.replace(/^\/usr\//, ""), folder.join("bin"), folder.path),
    exitStatus: (argv) => Bun.spawn([...argv], { stdout: "ignore", stderr: "ignore" }).exited,
  });
}

test("nothing installed", async () => {
  using folder = testFolder();
  expect(await look(folder, { ANTHROPIC_API_KEY: "k" })).toEqual([
    { name: "codex", loggedIn: false },
    { name: "claude", loggedIn: false },
  ]);
});

test("installed, then logged in", async () => {
  using folder = testFolder();
  mkdirSync(folder.join("bin"));
  const asked = '[ "$1 $2" = "login status" ] && [ -e "$(dirname "$0")/logged-in" ]';
  const codex = { name: "codex" as const, path: shellProgram(folder.join("bin/codex"), asked) };
  const claude = {
    name: "claude" as const,
    path: shellProgram(folder.join("bin/claude"), "exit 9"),
  };
  expect(await look(folder)).toEqual([
    { ...codex, loggedIn: false },
    { ...claude, loggedIn: false },
  ]);
  writeFileSync(folder.join("bin/logged-in"), "");
  mkdirSync(folder.join(".claude"));
  writeFileSync(folder.join(".claude/.credentials.json"), "{}");
  expect(await look(folder)).toEqual([
    { ...codex, loggedIn: true },
    { ...claude, loggedIn: true },
  ]);
});

test("claude with its credentials in the keychain of macOS", async () => {
  using folder = testFolder();
  mkdirSync(folder.join("bin"));
  shellProgram(folder.join("bin/claude"), "exit 9");
  const asked = '[ "$*" = "find-generic-password -s Claude Code-credentials" ]';
  shellProgram(folder.join("bin/security"), `${asked} && [ -e "$(dirname "$0")/stored" ]`);
  expect((await look(folder))[1]?.loggedIn).toBe(false);
  writeFileSync(folder.join("bin/stored"), "");
  expect((await look(folder))[1]?.loggedIn).toBe(true);
  expect((await look(folder, { CLAUDE_CONFIG_DIR: folder.join("own") }))[1]?.loggedIn).toBe(false);
});

test.each([
  ["ANTHROPIC_API_KEY", "k", true],
  ["CLAUDE_CODE_OAUTH_TOKEN", "t", true],
  ["ANTHROPIC_API_KEY", "", false],
  ["CLAUDE_CONFIG_DIR", "own", true],
  ["CLAUDE_CONFIG_DIR", "other", false],
])("claude with %s=%p", async (name, value, loggedIn) => {
  using folder = testFolder();
  for (const path of ["bin", "own", "other"]) mkdirSync(folder.join(path));
  shellProgram(folder.join("bin/claude"), "exit 9");
  writeFileSync(folder.join("own/.credentials.json"), "{}");
  const setting = name === "CLAUDE_CONFIG_DIR" ? folder.join(value) : value;
  const [, claude] = await look(folder, { [name]: setting });
  expect(claude?.loggedIn).toBe(loggedIn);
});

test.each<[Record<string, string>, readonly ("codex" | "claude")[], string | undefined]>([
  [{}, [], undefined],
  [{}, ["codex", "claude"], "codex"],
  [{}, ["claude"], "claude"],
  [{ CLAUDECODE: "1" }, ["codex", "claude"], "claude"],
  [{ PALLIUM_WORKFLOW_PROVIDER: "default" }, ["claude"], "claude"],
  [{ PALLIUM_WORKFLOW_PROVIDER: "codex" }, ["claude"], undefined],
  [{ PALLIUM_WORKFLOW_PROVIDER: "mine" }, ["codex"], undefined],
  [{ PALLIUM_WORKFLOW_PROVIDER: "mine", ...provider("mine", "answer") }, [], "mine"],
  [{ CLAUDECODE: "1", ...provider("claude", "answer") }, [], "claude"],
  [provider("codex", "never started"), [], undefined],
  [{ PALLIUM_WORKFLOW_AGENT_STUB: "x" }, [], "codex"],
])("with %p and %p logged in, the one that can serve is %p", (variables, loggedIn, usable) => {
  const available = (["codex", "claude"] as const).map((name) => ({
    name,
    loggedIn: loggedIn.includes(name),
  }));
  expect(usableProvider(variables, available)).toBe(usable);
});
