/** Settings of the user and of repositories, from the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import type { EditHome } from "../support/edit-runs.ts";
import { processEnds } from "../support/processes.ts";
import { ASKS, type SettingsHome, says, settingsHome, writeSettings } from "../support/settings.ts";
import { errorOf, provider } from "../support/workflow.ts";

let home: SettingsHome;
let edits: EditHome;
beforeEach(async () => {
  home = await settingsHome();
  ({ edits } = home);
});
afterEach(() => home[Symbol.asyncDispose]());

describe("precedence", () => {
  test("flags over environment over repository over user over default", async () => {
    expect(await home.inForce("limits.max_agents")).toEqual([1000, "default"]);
    await writeSettings(home.userFile, { fallback: ["u"], limits: { max_agents: 5 } });
    expect(await home.inForce("limits.max_agents")).toEqual([5, "user"]);
    await writeSettings(home.repoFile, { fallback: ["r"], limits: { max_agents: 7 } });
    await home.call(["trust"]);
    expect(await home.inForce("limits.max_agents")).toEqual([7, "repository"]);
    expect(await home.inForce("fallback")).toEqual(["r", "repository"]);
    const env = { PALLIUM_WORKFLOW_FALLBACK: "e" };
    expect(await home.inForce("fallback", env)).toEqual(["e", "environment"]);
    const maxAgents = async (...flags: string[]) =>
      (await edits.script("return 1;", {}, { id: `wf${flags.length}`, flags })).snapshot.run
        .max_agents;
    expect(await maxAgents()).toBe(7);
    expect(await maxAgents("--max-agents", "9")).toBe(9);
  });

  test("of providers: a call, the environment, the settings, whoever steers", async () => {
    await writeSettings(home.userFile, {
      provider: "own",
      providers: { own: says("own"), other: says("other") },
    });
    const answer = async (id: string, script: string, env: Readonly<Record<string, string>> = {}) =>
      (await edits.script(script, {}, { id, env })).result;
    expect(await answer("a", ASKS, { CLAUDECODE: "1" })).toBe("own");
    expect(await answer("b", ASKS, { PALLIUM_WORKFLOW_PROVIDER: "default" })).toBe("own");
    expect(await answer("c", ASKS, { PALLIUM_WORKFLOW_PROVIDER: "other" })).toBe("other");
    expect(await answer("d", `return await agent("x", { provider: "other" });`)).toBe("other");
    expect(await answer("e", ASKS, provider("own", says("variable")))).toBe("variable");
  });

  test("of who is told: a run, the environment, the settings", async () => {
    const told = async (
      id: string,
      env: Readonly<Record<string, string>> = {},
      ...flags: string[]
    ) => {
      await edits.script("return 1;", {}, { id, env, flags });
      return (await Bun.file(join(edits.home.directory, "told")).text()).trim();
    };
    const says = (text: string) => `echo ${text} > "$HOME/told"`;
    const env = { PALLIUM_WORKFLOW_NOTIFY: says("environment") };
    expect(await home.inForce("notify", env)).toEqual([says("environment"), "environment"]);
    await writeSettings(home.userFile, { notify: ["sh", "-c", says("settings")] });
    expect(await home.inForce("notify")).toEqual([["sh", "-c", says("settings")], "user"]);
    expect(await home.inForce("notify", env)).toEqual([says("environment"), "environment"]);
    expect(await told("a")).toBe("settings");
    expect(await told("b", env)).toBe("environment");
    expect(await told("c", env, "--notify", says("flag"))).toBe("flag");
  });

  test("a known run keeps its limits, whatever settings say meanwhile", async () => {
    await edits.script("return 1;", {}, { flags: ["--max-agents", "3"] });
    await writeSettings(home.userFile, { limits: { max_agents: 5, max_tokens: 9 } });
    const again = await edits.script("return 1;");
    expect([again.snapshot.run.max_agents, again.snapshot.run.max_tokens]).toEqual([3, undefined]);
  });

  test("the repository is the one that a run works in", async () => {
    await writeSettings(home.repoFile, { limits: { max_agents: 4 } });
    const flags = ["--cwd", edits.repo.path];
    const { snapshot } = await edits.script("return 1;", {}, { cwd: "/", flags });
    expect(snapshot.run.max_agents).toBe(4);
  });
});

describe("what a run takes from settings", () => {
  test("models, binaries, strictness and the fleet", async () => {
    const codex = join(edits.home.directory, "my codex");
    await writeFile(
      codex,
      `#!/bin/sh\nfor a; do [ "$p" = --output-last-message ] && o="$a"; p="$a"; done\nprintf '%s' "$*" > "$o"\n`,
    );
    await chmod(codex, 0o755);
    await writeSettings(home.userFile, {
      codex,
      models: { codex: "gpt-x", claude: "opus" },
      strict: true,
      limits: { max_active_runs: 1, agent_timeout: 33 },
    });
    const { result, snapshot } = await edits.script(ASKS);
    expect(result).toContain("--model gpt-x");
    expect(snapshot.run).toMatchObject({ strict: true, agent_timeout_seconds: 33 });
    expect(await home.inForce("limits.max_active_runs")).toEqual([1, "user"]);
    const other = await edits.script(
      `return await agent("x", { model: "mine" });`,
      {},
      { id: "b" },
    );
    expect(other.result).toContain("--model mine");
  });

  test("the program for claude", async () => {
    const claude = join(edits.home.directory, "my-claude");
    await writeFile(claude, "#!/bin/sh\nprintf 'mine'\n");
    await chmod(claude, 0o755);
    await writeSettings(home.userFile, { claude, provider: "claude" });
    expect((await edits.script(ASKS)).result).toBe("mine");
  });

  test("a resume, its plan and the generation of scripts take them too", async () => {
    await writeSettings(home.userFile, { provider: "own", providers: { own: "exit 3" } });
    await edits.script(ASKS);
    await writeSettings(home.userFile, { provider: "own", providers: { own: says("return 2;") } });
    const plan = await edits.json<{ calls: unknown[] }>("workflow", "resume", "wf-test", "--plan");
    expect(plan.calls).toMatchObject([{ label: "a", result: "miss" }]);
    const resumed = await edits.json<Snapshot>("workflow", "resume", "wf-test");
    expect(resumed.run.result).toBe("return 2;");
    const generated = await home.call(["workflow", "generate", "x", "--llm"]);
    expect(generated.stdout).toBe("return 2;\n");
  });

  test("a run in the background is handed them, and says what it leaves out", async () => {
    await writeSettings(home.userFile, { provider: "own", providers: { own: says("own") } });
    await writeSettings(home.repoFile, { notify: "x" });
    const path = join(edits.home.directory, "s.js");
    await writeFile(path, ASKS);
    const { stderr } = await home.call([
      "workflow",
      "run",
      "--background",
      "--id",
      "b",
      "--script",
      path,
    ]);
    expect(stderr).toContain("is not trusted; ignored: notify");
    const ended = async () => (await edits.json<Snapshot>("workflow", "show", "b")).run;
    await processEnds((await ended()).owner_pid ?? 0);
    expect((await ended()).result).toBe("own");
  });

  test("workers do not see what files say", async () => {
    await writeSettings(home.userFile, {
      provider: "own",
      providers: { own: "env", secret: "curl -H key" },
    });
    const { result } = await edits.script(ASKS);
    expect(result).toContain("PALLIUM_WORKFLOW_DEPTH=1");
    expect(result).not.toContain("curl -H key");
  });

  test("network, which no watch of triggers grants", async () => {
    await writeSettings(home.userFile, { allow_network: true });
    expect((await edits.script("return 1;")).snapshot.run.allow_network).toBe(true);
    const off = await edits.script(
      "return 1;",
      {},
      { id: "off", flags: ["--allow-network=false"] },
    );
    expect(off.snapshot.run.allow_network).not.toBe(true);
    await home.call([
      "workflow",
      "trigger",
      "add",
      "t",
      "x",
      "--kind",
      "on-commit",
      "--script",
      join(edits.home.directory, "script.js"),
    ]);
    const watched = await home.call([
      "workflow",
      "trigger",
      "watch",
      "--once",
      "--kind",
      "all",
      "--json",
    ]);
    const { results } = JSON.parse(watched.stdout);
    expect(results[0].run.status).toBe("completed");
    expect(results[0].run.allow_network).not.toBe(true);
  });

  test("the age that gc goes by", async () => {
    await edits.script("return 1;");
    const count = async () =>
      JSON.parse((await home.call(["workflow", "gc", "--dry-run", "--json"])).stdout).count;
    expect(await count()).toBe(0);
    await writeSettings(home.userFile, { gc: { older_than: 0 } });
    expect(await count()).toBe(1);
    const flagged = await home.call(["workflow", "gc", "--dry-run", "--older-than", "7", "--json"]);
    expect(JSON.parse(flagged.stdout).count).toBe(0);
  });

  test("a fault of the user's own file ends what needs settings, before anything is written", async () => {
    await writeSettings(home.userFile, '{\n "limits": {\n  "max_agent": 3 }\n}');
    const { stderr, exitCode } = await edits.script("return 1;");
    expect(exitCode).toBe(2);
    expect(errorOf(stderr)).toEqual({
      code: "settings_invalid",
      message: `${home.userFile}:3: no setting is called limits.max_agent`,
      hints: ["did you mean limits.max_agents?"],
    });
    expect((await home.call(["workflow", "tools"])).exitCode).toBe(0);
  });
});

test("in the home directory the user's own file is not a repository's too", async () => {
  await writeSettings(home.userFile, { notify: "x", gc: { older_than: 1 } });
  const { stdout } = await edits.home.pallium(["config", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ scope: "user", state: "in_use" }],
    ignored: [],
  });
});

test("folders that settings link are in the working trees of agents; a flag goes before them", async () => {
  await edits.repo.commit("ignore", { ".gitignore": "deps\nother\n" });
  await edits.repo.write({ "deps/d.txt": "d\n", "other/o.txt": "o\n" });
  await writeSettings(home.userFile, { links: ["deps"] });
  const seen = async (id: string, ...flags: string[]) =>
    (
      await edits.script(
        `return await agent("look", { mode: "edit" });`,
        { p: "echo deps/* other/*" },
        { id, flags, env: { PALLIUM_WORKFLOW_PROVIDER: "p" } },
      )
    ).result;
  expect(await seen("a")).toBe("deps/d.txt other/*");
  expect(await seen("b", "--link", "other")).toBe("deps/* other/o.txt");
});

test("a quota is waited for where settings say so, and not where a flag says otherwise", async () => {
  const usedUp = (until: number) => `if [ $(date +%s) -ge ${until} ]; then echo answered
    else echo "You've hit your usage limit|${until}"; exit 1; fi`;
  const now = Math.floor(Date.now() / 1000);
  await writeSettings(home.userFile, {
    resume_after_quota: true,
    providers: { soon: usedUp(now + 3), late: usedUp(now + 3600) },
  });
  const run = async (provider: string, ...flags: string[]) =>
    (
      await edits.script(
        `return await agent("x", { provider: "${provider}" });`,
        {},
        { id: provider, flags },
      )
    ).snapshot.run.status;
  expect(await run("soon")).toBe("completed");
  expect(await run("late", "--resume-after-quota=false")).toBe("paused");
});
