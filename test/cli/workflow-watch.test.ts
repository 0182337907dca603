/** `workflow watch`: a run while it goes on, on a terminal, in a pipe and for programs. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { WatchFrame } from "../../src/workflow/live/frame.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { PALLIUM } from "../support/cli.ts";
import { headOf, letGo, runAtWork, spawnOn } from "../support/live-runs.ts";
import { reading } from "../support/reading.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

const ESCAPE = "\u001b";
const ENTER = `${ESCAPE}[?1049h${ESCAPE}[?25l`;
const LEAVE = `${ESCAPE}[?25h${ESCAPE}[?1049l`;
const TWO = `
  phase("look");
  return parallel(["one", "two"], (label) => agent("p", { label }));`;

function framesIn(text: string): WatchFrame[] {
  const frames: WatchFrame[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const frame of frames) {
    expect(outputs["workflow.watch"].safeParse(frame).error?.issues ?? []).toEqual([]);
  }
  return frames;
}

describe("in a pipe", () => {
  test("only lines that changed are printed, without escape codes, until the run ends (C9)", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const watching = spawnOn(home, "watch");
    const output = reading(watching.stdout);
    await output.until("two: running, two works\n");
    await letGo(home);
    const text = await output.whole();
    expect(await watching.exited).toBe(0);
    expect(text).not.toContain(ESCAPE);
    const lines = text.trimEnd().split("\n");
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain("phase look: running");
    expect(text).toMatch(/^one: completed in \d+s for \$0\.0100$/m);
    expect(lines.at(-2)).toBe("VERDICT: FINISHED — 2/2 agents complete");
    await runner.exited;
  });

  test("a run whose runner died is not watched for ever: it is marked and ends the watch (C9)", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const watching = spawnOn(home, "watch");
    const output = reading(watching.stdout);
    await output.until("running");
    runner.kill("SIGKILL");
    expect(await output.whole()).toContain("VERDICT: NOT FINISHED (interrupted)");
    expect(await watching.exited).toBe(1);
    const stderr = await watching.stderr.text();
    expect(stderr).toContain("the runner died");
    expect(stderr).toContain("pallium workflow resume wf-test");
    const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(run.status).toBe("interrupted");
    await home.pallium(["workflow", "stop", "wf-test"]);
  });

  test("its reader gone, it ends at once", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    expect(await headOf(home, "watch")).toMatch(/^VERDICT: .*\n0\n$/);
    await letGo(home);
    await runner.exited;
  });
});

describe("as JSON", () => {
  test("there is a document a line for each change, and the last one is final", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const watching = spawnOn(home, "watch", "--json");
    const output = reading(watching.stdout);
    await output.until('"last_line":"two works"');
    await letGo(home);
    const frames = framesIn(await output.whole());
    expect(await watching.exited).toBe(0);
    expect(frames.map(({ final }) => final)).toEqual(
      frames.map((_, at) => at === frames.length - 1),
    );
    expect(frames.at(-1)).toMatchObject({
      status: "completed",
      agents_total: 2,
      agents_completed: 2,
      spent_usd: 0.02,
      phases: [{ name: "look", status: "completed" }],
      agents: [
        { label: "one", phase: "look", status: "completed", outcome: "ok" },
        { label: "two", phase: "look", status: "completed", outcome: "ok" },
      ],
    });
    expect(frames.at(-1)?.failure).toBeUndefined();
    await runner.exited;
  });

  test("a gate that waits for a person is named with what decides it", async () => {
    await using home = await workflowHome();
    const source = `return gate("ship", "really?", { manual: true });`;
    const running = home.script(source);
    const asked = async () => (await home.pallium(["workflow", "gate", "list", "wf-test"])).stdout;
    while (!(await asked()).includes("ship"));
    const watching = spawnOn(home, "watch", "--json");
    const output = reading(watching.stdout);
    await output.until('"next":["pallium workflow gate approve wf-test ship"');
    await home.pallium(["workflow", "gate", "approve", "wf-test", "ship"]);
    const last = framesIn(await output.whole()).at(-1);
    expect(last).toMatchObject({ final: true, gates: [], status: "completed" });
    await running;
  });
});

describe("the exit status", () => {
  test.each([
    ["completed", "return 1;", 0, undefined],
    ["failed", `throw new Error("on purpose");`, 1, "script_error"],
    ["completed", `return parallel([1], () => agent("p"));`, 1, "every_agent_failed"],
  ])("of a run that is %s already: %s", async (status, source, exit, code) => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "exit 3") };
    await home.script(source, { env });
    const { stdout, stderr, exitCode } = await home.pallium([
      "workflow",
      "watch",
      "wf-test",
      "--json",
    ]);
    const [frame, ...others] = framesIn(stdout);
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ status, final: true });
    expect(exitCode).toBe(exit);
    if (code !== undefined) {
      expect(frame?.failure?.code).toBe(code);
      expect(errorOf(stderr).code).toBe(code);
    }
  });

  test("a pause ends the watch and says how to resume", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const watching = spawnOn(home, "watch");
    const output = reading(watching.stdout);
    await output.until("running");
    await home.pallium(["workflow", "pause", "wf-test"]);
    expect(await output.whole()).toContain("VERDICT: NOT FINISHED (paused)");
    expect(await watching.exited).toBe(1);
    expect(await watching.stderr.text()).toContain("go on: pallium workflow resume wf-test");
    await runner.exited;
  });

  test("an unknown run is an error", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const { stdout, stderr } = await home.pallium(["workflow", "watch", "wf-other", "--json"]);
    expect(stdout).toBe("");
    expect(errorOf(stderr).code).toBe("run_not_found");
  });
});

/** Starts the watch on a terminal of its own and collects what that is sent. */
function onScreen(home: { directory: string; env: Readonly<Record<string, string>> }, env = {}) {
  const decoder = new TextDecoder();
  let screen = "";
  let heard = () => {};
  const child = Bun.spawn([...PALLIUM, "workflow", "watch", "wf-test"], {
    cwd: home.directory,
    env: { ...home.env, TERM: "xterm-256color", ...env },
    terminal: {
      cols: 80,
      rows: 24,
      data: (_, chunk) => {
        screen += decoder.decode(chunk, { stream: true });
        heard();
      },
    },
  });
  return {
    child,
    screen: () => screen,
    until: (text: string) =>
      new Promise<void>((resolve) => {
        heard = () => {
          if (screen.includes(text)) resolve();
        };
        heard();
      }),
  };
}

describe("on a terminal", () => {
  test("the run is drawn over itself, and the last view stays below", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const { child, screen, until } = onScreen(home);
    await until("two works");
    await letGo(home);
    expect(await child.exited).toBe(0);
    child.terminal?.close();
    expect(screen().startsWith(ENTER)).toBe(true);
    const after = screen().slice(screen().indexOf(LEAVE) + LEAVE.length);
    expect(screen()).not.toContain(`${ESCAPE}[2J`);
    expect(after).toContain("VERDICT: FINISHED — 2/2 agents complete");
    expect(after).toContain("one");
    expect(after).not.toContain(`${ESCAPE}[?`);
    await runner.exited;
  });

  test("Ctrl-C leaves the terminal as it was, and the run untouched", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const { child, screen, until } = onScreen(home);
    await until("two works");
    child.terminal?.write("\u0003");
    expect(await child.exited).toBe(130);
    child.terminal?.close();
    expect(screen().split(ENTER)).toHaveLength(2);
    expect(screen().split(LEAVE)).toHaveLength(2);
    const after = screen().slice(screen().indexOf(LEAVE));
    expect(after).toContain("the watch was ended, run wf-test goes on");
    expect(after).toContain("two works");
    expect(after).not.toContain("Ctrl-C");
    const { run, agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect([run.status, ...agents.map(({ status }) => status)]).toEqual([
      "running",
      "running",
      "running",
    ]);
    await letGo(home);
    expect(await runner.exited).toBe(0);
  });

  test("it follows the size of the terminal, and fits into one row", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const { child, screen, until } = onScreen(home);
    await until("two works");
    const drawn = screen().length;
    child.terminal?.resize(20, 1);
    await until("VERDICT: NOT FINISH…");
    const small = screen().slice(drawn);
    expect(small.slice(small.indexOf("NOT FINISH…"))).not.toContain(`${ESCAPE}[2;1H`);
    await letGo(home);
    await child.exited;
    child.terminal?.close();
    await runner.exited;
  });

  test.each([
    ["NO_COLOR keeps the moves of the cursor", { NO_COLOR: "1" }, ENTER],
    ["a dumb terminal gets the lines of a pipe", { TERM: "dumb" }, "VERDICT"],
  ])("%s", async (_, env, first) => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const { child, screen } = onScreen(home, env);
    await child.exited;
    child.terminal?.close();
    expect(screen().startsWith(first)).toBe(true);
    expect(screen()).not.toMatch(new RegExp(`${ESCAPE}\\[\\d+m`));
    expect(screen().includes(ESCAPE)).toBe(first === ENTER);
  });
});
