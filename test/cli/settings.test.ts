/** Settings of the user and of repositories, from the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { ListedTrust, TrustedFile } from "../../src/workflow/settings/operations.ts";
import type { SettingsReport } from "../../src/workflow/settings/resolve.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { errorOf, provider } from "../support/workflow.ts";

let edits: EditHome;
beforeEach(async () => {
  edits = await editHome();
});
afterEach(() => edits[Symbol.asyncDispose]());

const userFile = () => join(edits.home.directory, ".pallium", "config.json");
const repoFile = () => edits.repo.join(".pallium/config.json");

async function write(path: string, content: object | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
}

const call = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  edits.home.pallium(args, { cwd: edits.repo.path, env });

async function settings(env: Readonly<Record<string, string>> = {}): Promise<SettingsReport> {
  const { stdout, stderr } = await call(["settings", "--json"], env);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

async function inForce(key: string, env = {}) {
  const { value, source } = (await settings(env)).settings.find((one) => one.key === key) ?? {};
  return [value, source];
}

/** A configured provider that answers its own name. */
const says = (name: string) => `printf '${name}'`;
const ASKS = `return await agent("x", { label: "a" });`;

describe("precedence", () => {
  test("flags over environment over repository over user over default", async () => {
    expect(await inForce("limits.max_agents")).toEqual([1000, "default"]);
    await write(userFile(), { fallback: ["u"], limits: { max_agents: 5 } });
    expect(await inForce("limits.max_agents")).toEqual([5, "user"]);
    await write(repoFile(), { fallback: ["r"], limits: { max_agents: 7 } });
    await call(["trust"]);
    expect(await inForce("limits.max_agents")).toEqual([7, "repository"]);
    expect(await inForce("fallback")).toEqual(["r", "repository"]);
    const env = { PALLIUM_WORKFLOW_FALLBACK: "e" };
    expect(await inForce("fallback", env)).toEqual(["e", "environment"]);
    const maxAgents = async (...flags: string[]) =>
      (await edits.script("return 1;", {}, { id: `wf${flags.length}`, flags })).snapshot.run
        .max_agents;
    expect(await maxAgents()).toBe(7);
    expect(await maxAgents("--max-agents", "9")).toBe(9);
  });

  test("of providers: a call, the environment, the settings, whoever steers", async () => {
    await write(userFile(), {
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

  test("a known run keeps its limits, whatever settings say meanwhile", async () => {
    await edits.script("return 1;", {}, { flags: ["--max-agents", "3"] });
    await write(userFile(), { limits: { max_agents: 5, max_tokens: 9 } });
    const again = await edits.script("return 1;");
    expect([again.snapshot.run.max_agents, again.snapshot.run.max_tokens]).toEqual([3, undefined]);
  });

  test("the repository is the one that a run works in", async () => {
    await write(repoFile(), { limits: { max_agents: 4 } });
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
    await write(userFile(), {
      codex,
      models: { codex: "gpt-x", claude: "opus" },
      strict: true,
      limits: { max_active_runs: 1, agent_timeout: 33 },
    });
    const { result, snapshot } = await edits.script(ASKS);
    expect(result).toContain("--model gpt-x");
    expect(snapshot.run).toMatchObject({ strict: true, agent_timeout_seconds: 33 });
    expect(await inForce("limits.max_active_runs")).toEqual([1, "user"]);
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
    await write(userFile(), { claude, provider: "claude" });
    expect((await edits.script(ASKS)).result).toBe("mine");
  });

  test("workers do not see what files say", async () => {
    await write(userFile(), { provider: "own", providers: { own: "env", secret: "curl -H key" } });
    const { result } = await edits.script(ASKS);
    expect(result).toContain("PALLIUM_WORKFLOW_DEPTH=1");
    expect(result).not.toContain("curl -H key");
  });

  test("network, which no watch of triggers grants", async () => {
    await write(userFile(), { allow_network: true });
    expect((await edits.script("return 1;")).snapshot.run.allow_network).toBe(true);
    const off = await edits.script(
      "return 1;",
      {},
      { id: "off", flags: ["--allow-network=false"] },
    );
    expect(off.snapshot.run.allow_network).not.toBe(true);
    await call([
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
    const watched = await call([
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
      JSON.parse((await call(["workflow", "gc", "--dry-run", "--json"])).stdout).count;
    expect(await count()).toBe(0);
    await write(userFile(), { gc: { older_than: 0 } });
    expect(await count()).toBe(1);
    const flagged = await call(["workflow", "gc", "--dry-run", "--older-than", "7", "--json"]);
    expect(JSON.parse(flagged.stdout).count).toBe(0);
  });

  test("a fault of the user's own file ends what needs settings, before anything is written", async () => {
    await write(userFile(), '{\n "limits": {\n  "max_agent": 3 }\n}');
    const { stderr, exitCode } = await edits.script("return 1;");
    expect(exitCode).toBe(2);
    expect(errorOf(stderr)).toEqual({
      code: "settings_invalid",
      message: `${userFile()}:3: no setting is called limits.max_agent`,
      hints: ["did you mean limits.max_agents?"],
    });
    expect((await call(["workflow", "tools"])).exitCode).toBe(0);
  });
});

describe("a repository that is not trusted", () => {
  const HOSTILE = {
    provider: "evil",
    providers: { evil: "touch evil; printf evil" },
    codex: "/bin/evil",
    claude: "/bin/evil",
    claude_tools: ["Bash"],
    models: { codex: "dear" },
    notify: "touch evil",
    fallback: ["evil"],
    prices: { "": { input: 0, output: 0 } },
    agent_cost_usd: 0,
    allow_network: true,
    include_dirty: true,
    links: ["node_modules"],
    resume_after_quota: true,
    limits: { max_agents: 5000, max_budget_usd: 1000, agent_timeout: 0, output_limit: 9999 },
  };

  test("runs no command, names no program, opens no network and spends nothing", async () => {
    const before = (await settings()).settings;
    await write(repoFile(), HOSTILE);
    const report = await settings();
    expect(report.settings.filter(({ key }) => key !== "limits.max_budget_usd")).toEqual([
      ...before,
    ]);
    expect(report.ignored.map(({ key }) => key)).toContain("limits.agent_timeout");
    const { result, stderr } = await edits.script(ASKS, {}, { stub: "good" });
    expect(result).toBe("good");
    expect(stderr).toContain("is not trusted; ignored: provider, providers.evil");
    expect(await edits.read("evil")).toBeUndefined();
  });

  test("may only narrow", async () => {
    await write(userFile(), { limits: { max_budget_usd: 2, max_agents: 10 } });
    await write(repoFile(), {
      strict: true,
      limits: { max_budget_usd: 1, max_agents: 11, agent_timeout: 5 },
    });
    expect(await inForce("limits.max_budget_usd")).toEqual(["1", "repository"]);
    expect(await inForce("limits.max_agents")).toEqual([10, "user"]);
    expect(await inForce("limits.agent_timeout")).toEqual([5, "repository"]);
    expect(await inForce("strict")).toEqual([true, "repository"]);
  });

  test("stops nobody with a file that is none", async () => {
    const folder = dirname(repoFile());
    const forms: Readonly<Record<string, () => Promise<unknown>>> = {
      faulty: () => write(repoFile(), '{"limits": {"max_agents": 1}, "x": 1}'),
      huge: async () => {
        await write(repoFile(), "{}");
        await truncate(repoFile(), 2 ** 31);
      },
      nested: () => write(repoFile(), "[".repeat(60_000)),
      pipe: async () => {
        await mkdir(folder, { recursive: true });
        execFileSync("mkfifo", [repoFile()]);
      },
      directory: () => mkdir(repoFile(), { recursive: true }),
      link: async () => {
        await mkdir(folder, { recursive: true });
        await write(join(edits.home.directory, "elsewhere.json"), { limits: { max_agents: 1 } });
        await symlink(join(edits.home.directory, "elsewhere.json"), repoFile());
      },
      "linked folder": async () => {
        await write(join(edits.home.directory, "elsewhere", "config.json"), {
          limits: { max_agents: 1 },
        });
        await symlink(join(edits.home.directory, "elsewhere"), folder);
      },
    };
    for (const [form, make] of Object.entries(forms)) {
      await rm(folder, { recursive: true, force: true });
      await make();
      const { files, settings: values } = await settings();
      expect([form, files[1]?.state]).toEqual([form, "unusable"]);
      expect(values.find(({ key }) => key === "limits.max_agents")?.value).toBe(1000);
      const trust = await call(["trust", "--json"]);
      expect([form, errorOf(trust.stderr).code]).toEqual([form, "settings_invalid"]);
    }
  });
});

describe("trust", () => {
  const json = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse((await call([...args, "--json"])).stdout);

  test("counts for what the file held, and is asked for again when that changes", async () => {
    await write(repoFile(), { provider: "own", providers: { own: says("own") } });
    const trusted = await json<TrustedFile>("trust");
    expect(trusted.settings).toEqual([
      { key: "provider", value: "own" },
      { key: "providers.own", value: says("own") },
    ]);
    expect((await edits.script(ASKS)).result).toBe("own");
    await write(repoFile(), { provider: "own", providers: { own: says("changed") } });
    expect((await json<ListedTrust[]>("trust", "list")).map(({ state }) => state)).toEqual([
      "changed",
    ]);
    const changed = await edits.script(ASKS, {}, { id: "b", stub: "stub" });
    expect(changed.stderr).toContain(
      "changed since it was trusted; ignored: provider, providers.own",
    );
    expect((await settings()).ignored[0]?.reason).toBe("trusted_before_it_changed");
    await call(["trust", repoFile()]);
    expect((await edits.script(ASKS, {}, { id: "c" })).result).toBe("changed");
    await call(["trust", "revoke", edits.repo.path]);
    expect(await json<ListedTrust[]>("trust", "list")).toEqual([]);
    expect((await settings()).files[1]?.state).toBe("not_trusted");
  });

  test("is given from any folder of the repository, and taken from one that is gone", async () => {
    await write(repoFile(), { strict: true });
    await mkdir(edits.repo.join("deep/er"), { recursive: true });
    const { path } = JSON.parse(
      (await edits.home.pallium(["trust", "--json"], { cwd: edits.repo.join("deep/er") })).stdout,
    );
    expect(path).toBe(repoFile());
    await rm(repoFile());
    expect((await json<ListedTrust[]>("trust", "list")).map(({ state }) => state)).toEqual([
      "missing",
    ]);
    expect((await call(["trust", "revoke"])).stdout).toContain(`Not trusted any more: ${path}`);
  });

  test("of nothing, of faults and by a worker is refused", async () => {
    const code = async (args: readonly string[], env = {}) =>
      errorOf((await call([...args, "--json"], env)).stderr).code;
    expect(await code(["trust"])).toBe("settings_not_found");
    expect(await code(["trust", "revoke"])).toBe("settings_not_trusted");
    await write(repoFile(), { gc: { older_than: 0 } });
    expect(await code(["trust"])).toBe("settings_invalid");
    await write(repoFile(), { strict: true });
    expect(await code(["trust"], { PALLIUM_WORKFLOW_DEPTH: "1" })).toBe("trust_refused");
  });

  test("documents are as their schemas say", async () => {
    await write(repoFile(), { notify: ["a"], limits: { max_budget_usd: 1 } });
    expect(outputs.settings.safeParse(await settings()).error).toBeUndefined();
    expect(outputs.trust.safeParse(await json("trust")).error).toBeUndefined();
    expect(outputs["trust.list"].safeParse(await json("trust", "list")).error).toBeUndefined();
    expect(outputs["trust.revoke"].safeParse(await json("trust", "revoke")).error).toBeUndefined();
  });
});

test("in the home directory the user's own file is not a repository's too", async () => {
  await write(userFile(), { notify: "x", gc: { older_than: 1 } });
  const { stdout } = await edits.home.pallium(["config", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ scope: "user", state: "in_use" }],
    ignored: [],
  });
});
