/** Runs that go on when the command that started them has returned. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { background, startBackground } from "../support/background.ts";
import { PALLIUM } from "../support/cli.ts";
import { fileAppears } from "../support/files.ts";
import { isRunning, processEnds } from "../support/processes.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** An agent that says that it is at work, and answers once it is told to. */
const HELD = 'touch "$HOME/at-work"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo done';
const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", HELD) };
const STUB = { PALLIUM_WORKFLOW_AGENT_STUB: "{}" };
const ONE_AGENT = `log("begun"); return await agent("one", { label: "one" });`;

const atWork = (home: WorkflowHome) => fileAppears(join(home.directory, "at-work"));
const goOn = (home: WorkflowHome) => writeFile(join(home.directory, "go"), "");
const filesOf = (home: WorkflowHome, id = "wf-test") =>
  join(home.directory, ".pallium", "workflow-runs", id);

describe("a run in the background", () => {
  test("goes on when its command has returned and its script is gone", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, ONE_AGENT, { env });
    expect(run.document).toEqual({
      id: "wf-test",
      owned_session_id: "workflow-wf-test",
      status: "background",
    } as typeof run.document);
    await rm(join(home.directory, "wf-test.js"));
    await atWork(home);
    const listed = await home.json<object[]>(["workflow", "list"]);
    expect(listed).toMatchObject([
      { id: "wf-test", status: "running", owned_session_id: "workflow-wf-test" },
    ]);
    await goOn(home);
    expect((await run.ended()).run).toMatchObject({ status: "completed", result: "done" });
    const log = await readFile(join(filesOf(home), "runner.log"), "utf8");
    expect(log).toContain("[workflow:wf-test] begun");
    expect(log).toEndWith("Result:\ndone\n");
  });

  test("says as text what it is called", async () => {
    await using home = await workflowHome();
    const { stdout } = await home.pallium(["workflow", "run", "-x is odd", "--background"], {
      env: STUB,
    });
    const [, id = ""] =
      /^Workflow started: (wf-\S+)\nOwned session: workflow-\1\n$/.exec(stdout) ?? [];
    const { run } = await home.json<Snapshot>(["workflow", "show", id]);
    await processEnds(run.owner_pid ?? 0);
    await using again = await background(home, ["resume", id], STUB);
    expect((await again.ended()).run).toMatchObject({ task: "-x is odd" });
  });

  test("outlives the terminal of its command", async () => {
    await using home = await workflowHome();
    await writeFile(join(home.directory, "s.js"), ONE_AGENT);
    const start = [...PALLIUM, "workflow", "run", "--id", "wf-test", "--script", "s.js"];
    const shell = Bun.spawn(
      ["sh", "-c", '"$@" --background && touch started; sleep 300', "sh", ...start],
      { cwd: home.directory, env: { ...home.env, ...env }, stdout: "ignore", detached: true },
    );
    await fileAppears(join(home.directory, "started"));
    process.kill(-shell.pid, "SIGHUP");
    await shell.exited;
    await atWork(home);
    await using run = {
      [Symbol.asyncDispose]: () => home.pallium(["workflow", "stop", "wf-test"]).then(() => {}),
    };
    expect(run).toBeDefined();
    const { status } = await home.json<{ status: string }>(["workflow", "status", "wf-test"]);
    expect(status).toBe("running");
  });

  test("takes its arguments, limits and loop along", async () => {
    await using home = await workflowHome();
    const flags = [
      "--args",
      '{"a":[1]}',
      "--max-agents",
      "7",
      "--loop-name",
      "nightly",
      "--strict",
    ];
    await using run = await startBackground(home, "return { args, max: 1 };", { flags });
    const ended = (await run.ended()).run;
    expect(ended).toMatchObject({ loop_name: "nightly", max_agents: 7, args_json: '{"a":[1]}' });
    expect(JSON.parse(ended.result ?? "")).toEqual({ args: { a: [1] }, max: 1 });
  });

  test("may have an id of any length that is allowed", async () => {
    await using home = await workflowHome();
    const id = `wf-${"x".repeat(117)}`;
    await using run = await startBackground(home, "return 1;", { id });
    expect((await run.ended()).run.status).toBe("completed");
  });

  test("is stopped like any other, its workers too", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, ONE_AGENT, { env });
    await atWork(home);
    const stopped = await home.json<object>(["workflow", "stop", "wf-test"]);
    expect(stopped).toMatchObject({ id: "wf-test", status: "stopped" });
    await run.ended();
    expect(isRunning(run.runner)).toBe(false);
  });

  test("whose runner was killed is interrupted, and goes on in the background", async () => {
    await using home = await workflowHome();
    await using killed = await startBackground(home, ONE_AGENT, { env });
    await atWork(home);
    process.kill(killed.runner, "SIGKILL");
    await killed.ended();
    const { status } = await home.json<{ status: string }>(["workflow", "status", "wf-test"]);
    expect(status).toBe("interrupted");
    await using run = await background(home, ["resume", "wf-test"], env);
    await goOn(home);
    expect((await run.ended()).run).toMatchObject({ status: "completed", result: "done" });
  });

  test("that is resumed in the foreground is in the background no more", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, "return 1;");
    await run.ended();
    const resumed = await home.json<{ run: object }>(["workflow", "resume", "wf-test"]);
    expect(resumed.run).not.toHaveProperty("owned_session_id");
  });
});

describe("the fleet limit", () => {
  const limit = ["--max-active-runs", "1"];

  test("does not count the run itself: in the background, and when it is resumed (C4)", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, ONE_AGENT, { env, flags: limit });
    await atWork(home);
    await home.pallium(["workflow", "pause", "wf-test"]);
    await using again = await background(home, ["resume", "wf-test"], {
      ...env,
      PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS: "1",
    });
    await goOn(home);
    expect((await again.ended()).run.status).toBe("completed");
    expect(run.runner).not.toBe(again.runner);
  });

  test("counts who is at work: neither what is paused nor what has ended (oracle 73, C3)", async () => {
    await using home = await workflowHome();
    await using _paused = await startBackground(home, ONE_AGENT, { id: "paused", env });
    await home.pallium(["workflow", "pause", "paused"]);
    await using _stopped = await startBackground(home, ONE_AGENT, { id: "stopped", env });
    await home.pallium(["workflow", "stop", "stopped"]);
    await home.script("return 1;", { id: "completed" });
    await home.script("throw new Error('no');", { id: "failed" });
    await using _one = await startBackground(home, ONE_AGENT, { id: "one", env });
    await using _two = await startBackground(home, ONE_AGENT, { id: "two", env });
    const runs = await home.json<{ status: string }[]>(["workflow", "list"]);
    expect(runs.map(({ status }) => status).sort()).toEqual([
      "completed",
      "failed",
      "paused",
      "running",
      "running",
      "stopped",
    ]);
    const third = (max: string) => home.script("return 3;", { flags: ["--max-active-runs", max] });
    const refused = await third("2");
    expect(refused.exitCode).toBe(1);
    expect(errorOf(refused.stderr).message).toBe(
      "workflow fleet limit reached: 2 active runs (max 2)",
    );
    expect((await third("3")).snapshot.run.status).toBe("completed");
    expect((await third("0")).snapshot.run.status).toBe("completed");
  });

  test.each([
    ["in the foreground", []],
    ["in the background", ["--background"]],
  ])("leaves a known run as it is that it has no room for, %s (C4)", async (_where, flags) => {
    await using home = await workflowHome();
    await home.script("return 1;", { id: "known" });
    const script = join(filesOf(home, "known"), "workflow.js");
    const look = async () => [
      await readFile(script, "utf8"),
      await home.json<Snapshot>(["workflow", "show", "known"]),
    ];
    const before = await look();
    await using _other = await startBackground(home, ONE_AGENT, { env });
    const refused = await home.script("return 2;", { id: "known", flags: [...limit, ...flags] });
    expect(errorOf(refused.stderr).code).toBe("fleet_limit");
    expect(await look()).toEqual(before);
  });

  test("lets one of many that are started at once through; nothing is left of the others (C4, C3)", async () => {
    await using home = await workflowHome();
    await writeFile(join(home.directory, "s.js"), ONE_AGENT);
    const ids = ["a", "b", "c", "d"];
    const starts = await Promise.all(
      ids.map((id) =>
        home.pallium(
          ["workflow", "run", "--id", id, "--script", "s.js", "--background", "--json", ...limit],
          { env },
        ),
      ),
    );
    const refused = starts.filter(({ exitCode }) => exitCode === 1);
    expect(refused.map(({ stderr }) => errorOf(stderr))).toEqual(
      Array(3).fill(
        expect.objectContaining({
          code: "fleet_limit",
          message: "workflow fleet limit reached: 1 active runs (max 1)",
        }),
      ),
    );
    const [{ id } = { id: "" }, ...others] = await home.json<{ id: string }[]>([
      "workflow",
      "list",
    ]);
    expect(others).toEqual([]);
    expect(await readdir(join(home.directory, ".pallium", "workflow-runs"))).toEqual([id]);
    await home.pallium(["workflow", "stop", id]);
  });
});

describe("what keeps a run from being taken", () => {
  test("is said by the command that wanted it in the background", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, ONE_AGENT, { env });
    await atWork(home);
    const second = await home.pallium(["workflow", "resume", "wf-test", "--background", "--json"]);
    expect(second.exitCode).toBe(1);
    expect(errorOf(second.stderr)).toMatchObject({
      code: "run_owned",
      message: expect.stringContaining(`process ${run.runner} `),
    });
    expect(existsSync(filesOf(home))).toBe(true);
  });

  test("is found before a process is started where it can be", async () => {
    await using home = await workflowHome();
    const bad = await home.pallium([
      "workflow",
      "run",
      "--script",
      "no.js",
      "--background",
      "--json",
    ]);
    expect(errorOf(bad.stderr).code).toBe("script_not_found");
    const unknown = await home.pallium(["workflow", "resume", "no", "--background", "--json"]);
    expect(errorOf(unknown.stderr).code).toBe("run_not_found");
  });
});
