/** What a script can do and how its run ends: the oracles of the contract on script execution. */
import { describe, expect, test } from "bun:test";
import { errorOf, workflowHome } from "../support/workflow.ts";

const ECHO = '{"ok":true,"prompt":"{{PROMPT}}"}';

describe("a script", () => {
  test("runs agents in a pipeline under a phase (oracle 1)", async () => {
    await using home = await workflowHome();
    const { snapshot, result, exitCode } = await home.script(
      `phase("scan");
       const rows = await pipeline(["a", "b"], (item) => agent("inspect " + item));
       return { count: rows.length, first: rows[0].prompt };`,
      { stub: ECHO },
    );
    expect(exitCode).toBe(0);
    expect(result).toEqual({ count: 2, first: "inspect a" });
    expect(snapshot.run.status).toBe("completed");
    expect(snapshot.phases).toMatchObject([{ name: "scan", status: "completed", agent_count: 2 }]);
    expect(snapshot.agents).toHaveLength(2);
  });

  test("awaits at the top level (oracle 2)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return (await agent("inspect awaited")).prompt;`, {
      stub: ECHO,
    });
    expect(result).toBe("inspect awaited");
  });

  test("has an agent run a check where the stub stands in for all (oracle 3)", async () => {
    await using home = await workflowHome();
    const answer = { ok: true, command: "c", summary: "s", output_tail: "", failures: [] };
    const { result, snapshot } = await home.script(
      `const { ok } = await check("go test ./..."); return { ok };`,
      { stub: JSON.stringify(answer) },
    );
    expect(result).toEqual({ ok: true });
    expect(snapshot.agents).toMatchObject([{ mode: "test", provider: "codex" }]);
  });

  test("runs a check itself otherwise: its truth is the exit code", async () => {
    await using home = await workflowHome();
    const { result, snapshot, exitCode } = await home.script(
      `const bad = await check("echo broken >&2; exit 3");
       const good = await check("pwd");
       return { bad: [bad.ok, bad.exit_code, bad.output_tail], good: good.ok };`,
    );
    expect(result).toEqual({ bad: [false, 3, expect.stringContaining("broken")], good: true });
    expect(exitCode).toBe(0);
    expect(snapshot.agents).toMatchObject([
      { provider: "native", mode: "test", outcome: "ok" },
      { provider: "native", mode: "test", outcome: "ok" },
    ]);
  });

  test.each([
    [`return "done";`, "done"],
    ["return new Date(0).toISOString();", "1970-01-01T00:00:00.000Z"],
    ["return args;", undefined],
    ["return { b: 1, a: undefined };", { a: null, b: 1 }],
  ])("returns %p (oracle 6)", async (source, result) => {
    await using home = await workflowHome();
    expect((await home.script(source)).result).toEqual(result);
  });

  test.each(["Math.random()", "Date.now()", "new Date()"])(
    "cannot call %s (oracle 7)",
    async (call) => {
      await using home = await workflowHome();
      const { snapshot, exitCode } = await home.script(`return ${call};`);
      expect(snapshot.run.error).toContain("disabled in Pallium workflow scripts");
      expect(snapshot.run.status).toBe("failed");
      expect(exitCode).toBe(1);
    },
  );

  test("has meta with nested objects (oracle 8)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(
      `export const meta = { name: "m", limits: { agents: 3 }, text: "a } brace" };\nreturn "ran";`,
    );
    expect(result).toBe("ran");
  });

  test("reads the arguments of the run", async () => {
    await using home = await workflowHome();
    const { result } = await home.script("return args.topic;", {
      flags: ["--args", '{"topic":"auth"}'],
    });
    expect(result).toBe("auth");
  });

  test("sees the keys of arguments and answers in their order (S4)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(
      `return JSON.stringify(args) + JSON.stringify(await agent("x"));`,
      { stub: '{"z":1,"a":2}', flags: ["--args", '{"y":1,"b":2}'] },
    );
    expect(result).toBe('{"y":1,"b":2}{"z":1,"a":2}');
  });
});

describe("a phase", () => {
  test("with a callback holds for what the callback does (oracle 24)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `await phase("inside", async () => { await agent("in"); });
       phase("outside");
       await agent("out");`,
      { stub: "fine" },
    );
    expect(snapshot.agents.map(({ prompt, phase }) => [prompt, phase])).toEqual([
      ["in", "inside"],
      ["out", "outside"],
    ]);
  });

  test("inside pipeline stages does not race (oracle 23, S5)", async () => {
    await using home = await workflowHome();
    const { snapshot, result } = await home.script(
      `phase("outer");
       const rows = await pipeline(Array.from({ length: 8 }, (_, i) => i), async (item) => {
         phase("item " + item);
         return agent("look " + item);
       });
       await agent("after");
       return { count: rows.length };`,
      { stub: ECHO, flags: ["--max-concurrent-agents", "8"] },
    );
    expect(result).toEqual({ count: 8 });
    const phases = Object.fromEntries(
      snapshot.agents.map(({ prompt, phase }) => [prompt, phase ?? ""]),
    );
    for (let item = 0; item < 8; item += 1) expect(phases[`look ${item}`]).toBe(`item ${item}`);
    expect(phases.after).toBe("outer");
    expect(snapshot.phases.every(({ status }) => status === "completed")).toBe(true);
  });
});

describe("a script that goes wrong", () => {
  test.each([
    ["syntax", `phase("scan";`, "script_syntax"],
    ["empty", "// nothing", "script_empty"],
    ["a meta that is no literal", "export const meta = { name: f() };", "script_meta"],
  ])("%s is refused before anything is written", async (_name, source, code) => {
    await using home = await workflowHome();
    const { stdout, stderr, exitCode } = await home.script(source);
    expect(stdout).toBe("");
    expect(errorOf(stderr).code).toBe(code);
    expect(exitCode).toBe(1);
    expect(await home.json<unknown[]>(["workflow", "list"])).toEqual([]);
  });

  test.each([
    ["throws an error", `throw new Error("boom");`, "boom"],
    ["throws a string", `throw "just text";`, "just text"],
    ["returns a function", "return () => 1;", "function"],
    ["returns a cycle", "const a = {}; a.a = a; return a;", "contains itself"],
    ["returns a BigInt", "return { n: 1n };", "$.n"],
    ["waits for ever", "await new Promise(() => {});", "unresolved (pending) promise"],
    [
      "maps 4097 items",
      "await parallel(Array(4097).fill(0), (x) => x);",
      "parallel item limit exceeded: 4097 > 4096",
    ],
    [
      "pipes 4097 items",
      "await pipeline(Array(4097).fill(0), (x) => x);",
      "pipeline item limit exceeded: 4097 > 4096",
    ],
    ["calls an agent without a prompt", "await agent();", "agent prompt is required"],
    ["mistypes an option", `await agent("x", { lable: "y" });`, 'did you mean "label"?'],
    [
      "asks for edits outside of a repository",
      `await agent("x", { mode: "edit" });`,
      "inside a git repository",
    ],
    ["asks for a team", `await team.create("x");`, "not in this version"],
    [
      "returns 50 MB",
      `return "x".repeat(1e6).split("").map((c) => c + "y".repeat(50));`,
      "16777216",
    ],
  ])("%s: the row is true", async (_name, source, message) => {
    await using home = await workflowHome();
    const { snapshot, stderr, exitCode } = await home.script(source, { stub: "fine" });
    expect(snapshot.run).toMatchObject({
      status: "failed",
      error: expect.stringContaining(message),
    });
    expect(snapshot.run.error_code).toMatch(/^[a-z_]+$/);
    expect(errorOf(stderr).message).toContain(message);
    expect(exitCode).toBe(1);
    const status = await home.json<{ status: string }>(["workflow", "status", "wf-test"]);
    expect(status.status).toBe("failed");
  });

  test("says where it threw", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`const a = 1;\n\n  throw new Error("here");`);
    expect(snapshot.run.error).toContain("line 3, column");
  });

  test("is told which of its names nothing declares, but not when it ends well", async () => {
    await using home = await workflowHome();
    const failing = await home.script(`return await fetch("x");`);
    expect(failing.stderr).toContain("warning: [workflow:wf-test] fetch does not exist");
    expect(failing.stderr).toContain("at script.js:1:14");
    const fine = await home.script("return typeof fetch + fetch;");
    expect(fine.stderr).not.toContain("fetch does not exist");
  });

  test("with finished agents is completed_with_failures (oracle 35)", async () => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(
      `await parallel(["a", "b", "c"], (x) => agent(x));
       await agent("bad", { provider: "ghost" });`,
      {
        env: { PALLIUM_WORKFLOW_PROVIDER: "ok", PALLIUM_WORKFLOW_PROVIDER_OK_COMMAND: "echo fine" },
      },
    );
    expect(snapshot.run.status).toBe("completed_with_failures");
    expect(snapshot.run.error).toContain("PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND");
    expect(exitCode).toBe(1);
  });
});
