/** What the settings of a repository may do before they are trusted, and trust itself. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { ListedTrust, TrustedFile } from "../../src/workflow/settings/operations.ts";
import type { EditHome } from "../support/edit-runs.ts";
import { ASKS, type SettingsHome, says, settingsHome, writeSettings } from "../support/settings.ts";
import { errorOf } from "../support/workflow.ts";

let home: SettingsHome;
let edits: EditHome;
beforeEach(async () => {
  home = await settingsHome();
  ({ edits } = home);
});
afterEach(() => home[Symbol.asyncDispose]());

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
    const before = (await home.settings()).settings;
    await writeSettings(home.repoFile, HOSTILE);
    const report = await home.settings();
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
    await writeSettings(home.userFile, { limits: { max_budget_usd: 2, max_agents: 10 } });
    await writeSettings(home.repoFile, {
      strict: true,
      limits: { max_budget_usd: 1, max_agents: 11, agent_timeout: 5 },
    });
    expect(await home.inForce("limits.max_budget_usd")).toEqual(["1", "repository"]);
    expect(await home.inForce("limits.max_agents")).toEqual([10, "user"]);
    expect(await home.inForce("limits.agent_timeout")).toEqual([5, "repository"]);
    expect(await home.inForce("strict")).toEqual([true, "repository"]);
  });

  test("stops nobody with a file that is none", async () => {
    const folder = dirname(home.repoFile);
    const forms: Readonly<Record<string, () => Promise<unknown>>> = {
      faulty: () => writeSettings(home.repoFile, '{"limits": {"max_agents": 1}, "x": 1}'),
      huge: async () => {
        await writeSettings(home.repoFile, "{}");
        await truncate(home.repoFile, 2 ** 31);
      },
      nested: () => writeSettings(home.repoFile, "[".repeat(60_000)),
      pipe: async () => {
        await mkdir(folder, { recursive: true });
        execFileSync("mkfifo", [home.repoFile]);
      },
      directory: () => mkdir(home.repoFile, { recursive: true }),
      link: async () => {
        await mkdir(folder, { recursive: true });
        await writeSettings(join(edits.home.directory, "elsewhere.json"), {
          limits: { max_agents: 1 },
        });
        await symlink(join(edits.home.directory, "elsewhere.json"), home.repoFile);
      },
      "linked folder": async () => {
        await writeSettings(join(edits.home.directory, "elsewhere", "config.json"), {
          limits: { max_agents: 1 },
        });
        await symlink(join(edits.home.directory, "elsewhere"), folder);
      },
    };
    for (const [form, make] of Object.entries(forms)) {
      await rm(folder, { recursive: true, force: true });
      await make();
      const { files, settings: values } = await home.settings();
      expect([form, files[1]?.state]).toEqual([form, "unusable"]);
      expect(values.find(({ key }) => key === "limits.max_agents")?.value).toBe(1000);
      const trust = await home.call(["trust", "--json"]);
      expect([form, errorOf(trust.stderr).code]).toEqual([form, "settings_invalid"]);
    }
  });
});

describe("trust", () => {
  const json = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse((await home.call([...args, "--json"])).stdout);

  test("counts for what the file held, and is asked for again when that changes", async () => {
    await writeSettings(home.repoFile, { provider: "own", providers: { own: says("own") } });
    const trusted = await json<TrustedFile>("trust");
    expect(trusted.settings).toEqual([
      { key: "provider", value: "own" },
      { key: "providers.own", value: says("own") },
    ]);
    expect((await edits.script(ASKS)).result).toBe("own");
    await writeSettings(home.repoFile, { provider: "own", providers: { own: says("changed") } });
    expect((await json<ListedTrust[]>("trust", "list")).map(({ state }) => state)).toEqual([
      "changed",
    ]);
    const changed = await edits.script(ASKS, {}, { id: "b", stub: "stub" });
    expect(changed.stderr).toContain(
      "changed since it was trusted; ignored: provider, providers.own",
    );
    expect((await home.settings()).ignored[0]?.reason).toBe("trusted_before_it_changed");
    await home.call(["trust", home.repoFile]);
    expect((await edits.script(ASKS, {}, { id: "c" })).result).toBe("changed");
    await home.call(["trust", "revoke", edits.repo.path]);
    expect(await json<ListedTrust[]>("trust", "list")).toEqual([]);
    expect((await home.settings()).files[1]?.state).toBe("not_trusted");
  });

  test("is given from any folder of the repository, and taken from one that is gone", async () => {
    await writeSettings(home.repoFile, { strict: true });
    await mkdir(edits.repo.join("deep/er"), { recursive: true });
    const { path } = JSON.parse(
      (await edits.home.pallium(["trust", "--json"], { cwd: edits.repo.join("deep/er") })).stdout,
    );
    expect(path).toBe(home.repoFile);
    await rm(home.repoFile);
    expect((await json<ListedTrust[]>("trust", "list")).map(({ state }) => state)).toEqual([
      "missing",
    ]);
    expect((await home.call(["trust", "revoke"])).stdout).toContain(
      `Not trusted any more: ${path}`,
    );
  });

  test("of nothing, of faults and by a worker is refused", async () => {
    const code = async (args: readonly string[], env = {}) =>
      errorOf((await home.call([...args, "--json"], env)).stderr).code;
    expect(await code(["trust"])).toBe("settings_not_found");
    expect(await code(["trust", "revoke"])).toBe("settings_not_trusted");
    await writeSettings(home.repoFile, { gc: { older_than: 0 } });
    expect(await code(["trust"])).toBe("settings_invalid");
    await writeSettings(home.repoFile, { strict: true });
    expect(await code(["trust"], { PALLIUM_WORKFLOW_DEPTH: "1" })).toBe("trust_refused");
  });

  test("documents are as their schemas say", async () => {
    await writeSettings(home.repoFile, { notify: ["a"], limits: { max_budget_usd: 1 } });
    expect(outputs.settings.safeParse(await home.settings()).error).toBeUndefined();
    expect(outputs.trust.safeParse(await json("trust")).error).toBeUndefined();
    expect(outputs["trust.list"].safeParse(await json("trust", "list")).error).toBeUndefined();
    expect(outputs["trust.revoke"].safeParse(await json("trust", "revoke")).error).toBeUndefined();
  });
});
