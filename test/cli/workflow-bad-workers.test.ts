/** Workers and stores that misbehave: one clear outcome each, the row true, nothing left running. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CallOutcome } from "../../src/providers/contract.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

function useProvider(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

/** Whether a process of this home's runs is left: every one carries the mark of its call. */
async function leftovers(home: WorkflowHome): Promise<string> {
  const scan = `for e in /proc/[0-9]*/environ; do tr '\\0' '\\n' < "$e" 2>/dev/null | grep -q "^HOME=${home.directory}$" && echo "$e"; done; true`;
  return Bun.spawnSync(["sh", "-c", scan], {
    env: { PATH: process.env.PATH ?? "" },
  }).stdout.toString();
}

describe("a worker that", () => {
  const cases: readonly [string, string, CallOutcome, string][] = [
    ["is no program", "/nowhere/at-all", "failed", "not found"],
    [
      "exits 7",
      "echo why >&2; exit 7",
      "failed",
      'workflow provider "p" failed: exit status 7: why',
    ],
    ["says nothing", "true", "empty", 'workflow provider "p" produced no output'],
    ["fails without a word", "exit 1", "failed", "no stderr output captured"],
    ["kills itself", "kill -9 $$", "killed", "SIGKILL"],
  ];
  test.each(cases)("%s", async (_name, command, outcome, message) => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(`return await agent("x");`, {
      env: useProvider(command),
    });
    expect(snapshot.agents).toMatchObject([{ outcome, error: expect.stringContaining(message) }]);
    expect(snapshot.run.status).toBe("failed");
    expect(snapshot.run.error_code).toBe(`agent_${outcome}`);
    expect(exitCode).toBe(1);
    expect(await leftovers(home)).toBe("");
  });

  test("is not configured is named with the variable to set (oracle 63)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { provider: "ghost" });`);
    expect(snapshot.run.error).toContain("set PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND");
  });

  test("is codex and not installed is named", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x");`, {
      flags: ["--codex", "/nowhere/codex"],
    });
    expect(snapshot.run.error).toContain("/nowhere/codex");
    expect(snapshot.agents).toMatchObject([{ provider: "codex", status: "failed" }]);
  });

  test("writes half a JSON fails its schema", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `return await agent("x", { schema: { type: "object" } });`,
      { env: useProvider(`echo x >> "$HOME/calls"; printf '{"a": '`) },
    );
    expect(snapshot.agents).toMatchObject([
      {
        outcome: "schema_failed",
        error: expect.stringContaining("agent output does not match schema: output is not JSON"),
      },
    ]);
    expect(await readFile(join(home.directory, "calls"), "utf8")).toBe("x\nx\n");
  });

  test("never reads a long prompt does not hang, and finds it in its file", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("p".repeat(1000000));`, {
      env: useProvider(
        'wc -c < "$PALLIUM_WORKFLOW_PROMPT_FILE" | tr -d " "; [ -z "$PALLIUM_WORKFLOW_PROMPT" ]',
      ),
    });
    expect(result).toBe(1000000);
  });

  test("floods its output is ended at the limit (P4)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x");`, {
      env: useProvider("yes flood"),
    });
    expect(snapshot.agents).toMatchObject([
      { outcome: "failed", error: expect.stringContaining("output limit") },
    ]);
    expect(await leftovers(home)).toBe("");
  }, 60_000);

  test("forks, detaches and ignores SIGTERM is gone after its timeout (C6)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { timeout_seconds: 1 });`, {
      env: useProvider(
        `trap "" TERM; setsid sh -c 'trap "" TERM; sleep 300' & sleep 300 & while :; do sleep 1; done`,
      ),
    });
    expect(snapshot.agents).toMatchObject([{ outcome: "timeout" }]);
    expect(await leftovers(home)).toBe("");
  }, 60_000);

  test("leaves a child behind when it answers does not keep it (C6)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("x");`, {
      env: useProvider("sleep 300 & echo fine"),
    });
    expect(result).toBe("fine");
    expect(await leftovers(home)).toBe("");
  });

  test("gets no secret of pallium's (X5)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("x");`, {
      env: {
        ...useProvider('echo "[$PALLIUM_WORKFLOW_API_TOKEN$BUN_OPTIONS]$PALLIUM_WORKFLOW_DEPTH"'),
        PALLIUM_WORKFLOW_API_TOKEN: "secret",
      },
    });
    expect(result).toBe("[]1");
  });
});

describe("a schema that", () => {
  test.each([
    ["no type", `{ type: "objekt" }`],
    ["no list of what is required", `{ type: "object", required: true }`],
    ["no pattern", `{ type: "string", pattern: "(" }`],
    ["no reference", `{ $ref: "#/$defs/missing" }`],
  ])("has %s is refused and costs nothing (D14)", async (_what, schema) => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { schema: ${schema} });`, {
      env: useProvider('echo x >> "$HOME/calls"; echo "{}"'),
    });
    expect(snapshot.agents).toMatchObject([{ outcome: "failed" }]);
    expect(snapshot.agents[0]?.estimated_cost_usd).toBeUndefined();
    expect(await Bun.file(join(home.directory, "calls")).exists()).toBe(false);
  });

  test("is answered wrongly once gets one correction (oracle 69)", async () => {
    await using home = await workflowHome();
    const command = `if grep -q "schema validation" "$PALLIUM_WORKFLOW_PROMPT_FILE"; then echo '{"summary":"ok"}'; else echo prose; fi; echo '{"cost_usd":0.1,"input_tokens":100,"output_tokens":50}' > "$PALLIUM_WORKFLOW_USAGE_FILE"`;
    const { result, snapshot } = await home.script(
      `return await agent("x", { schema: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] } });`,
      { env: useProvider(command) },
    );
    expect(result).toEqual({ summary: "ok" });
    expect(snapshot.agents).toMatchObject([
      {
        status: "completed",
        estimated_cost_usd: 0.2,
        usage_json: '{"cost_usd":0.2,"input_tokens":200,"output_tokens":100}',
      },
    ]);
  });

  test("allows null by a union is enforced (oracle 70, D14)", async () => {
    await using home = await workflowHome();
    const schema = `{ type: ["object", "null"], properties: { a: { type: "string" } }, required: ["a"] }`;
    const { result } = await home.script(
      `return await parallel(["{}", "null", '{"a":"b"}'], (x) => agent(x, { schema: ${schema} }));`,
      { stub: "{{PROMPT}}" },
    );
    expect(result).toEqual([null, null, { a: "b" }]);
  });
});

describe("a store that", () => {
  async function storeOf(home: WorkflowHome): Promise<string> {
    await home.script("return 1;");
    return join(home.directory, ".pallium", "pallium.sqlite");
  }

  test("is corrupt is refused and kept", async () => {
    await using home = await workflowHome();
    const path = join(home.directory, "corrupt.sqlite");
    await writeFile(path, "this is no database, whatever its name says".repeat(100));
    const { stderr, exitCode } = await home.script("return 1;", { flags: ["--db", path] });
    expect(errorOf(stderr).code).toBe("database_corrupt");
    expect(exitCode).toBe(1);
    expect(await readFile(path, "utf8")).toStartWith("this is no database");
  });

  test("is newer is refused untouched", async () => {
    await using home = await workflowHome();
    const path = await storeOf(home);
    using database = new Database(path);
    database.run("PRAGMA user_version = 99");
    const { stderr } = await home.pallium(["workflow", "list", "--json"]);
    expect(errorOf(stderr).code).toBe("database_newer");
  });

  test("is a directory is refused", async () => {
    await using home = await workflowHome();
    const path = join(home.directory, "folder");
    await mkdir(path);
    const { stderr, exitCode } = await home.script("return 1;", { flags: ["--db", path] });
    expect(errorOf(stderr).code).toMatch(/^(database|io)_/);
    expect(exitCode).toBe(1);
  });
});
