/** `workflow logs`: what agents printed, and what they print right now. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { LogLine } from "../../src/workflow/live/logs.ts";
import { PALLIUM } from "../support/cli.ts";
import { headOf, letGo, runAtWork, spawnOn } from "../support/live-runs.ts";
import { reading } from "../support/reading.ts";
import { onTerminal } from "../support/terminal.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const TALKS = [
  'echo "$PALLIUM_WORKFLOW_LABEL begins"',
  'echo "a remark of $PALLIUM_WORKFLOW_LABEL" >&2',
  "printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n'",
  "printf unended",
].join("; ");
const ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", TALKS) };
const TWO = `
  phase("look");
  return parallel(["one", "two"], (label) => agent("p", { label }));`;

async function text(home: WorkflowHome, ...flags: string[]): Promise<string[]> {
  const outcome = await home.pallium(["workflow", "logs", "wf-test", ...flags]);
  expect(outcome).toMatchObject({ stderr: "", exitCode: 0 });
  return outcome.stdout.trimEnd().split("\n");
}

describe("of a run that has ended", () => {
  test("each line is headed by its agent, as it was printed", async () => {
    await using home = await workflowHome();
    await home.script(TWO, { env: ENV });
    const of = (label: string) => [
      `${label} | ${label} begins`,
      `${label} | \u001b[31mred\u001b[0m`,
      `${label} | 10%\r100%`,
      `${label} | unended`,
      `${label} ! a remark of ${label}`,
    ];
    expect(await text(home)).toEqual([...of("one"), ...of("two")]);
  });

  test("one agent's lines stand alone, asked for by label or id", async () => {
    await using home = await workflowHome();
    await home.script(TWO, { env: ENV });
    const whole = await home.pallium(["workflow", "logs", "wf-test", "--json"]);
    const lines: LogLine[] = whole.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const line of lines) {
      expect(outputs["workflow.logs"].safeParse(line).error?.issues ?? []).toEqual([]);
    }
    expect(lines).toHaveLength(10);
    expect(lines[4]).toMatchObject({ name: "one", phase: "look", stream: "stderr" });
    const byLabel = await text(home, "--agent", "two");
    expect(byLabel[0]).toBe("two begins");
    const id = lines.find(({ name }) => name === "two")?.call_id ?? "";
    expect(await text(home, "--agent", id)).toEqual(byLabel);
  });

  test("agents of one label are told apart, and so are attempts of one agent", async () => {
    await using home = await workflowHome();
    const source = `
      const schema = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
      try { await agent("p", { label: "same", schema }); } catch {}
      return agent("p", { label: "same" });`;
    await home.script(source, { env: { ...ENV, ...provider("p", "echo said") } });
    expect(await text(home)).toEqual(["same#1 | said", "same#1 | said", "same#2 | said"]);
    const { stdout } = await home.pallium(["workflow", "logs", "wf-test", "--json"]);
    const attempts = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).attempt);
    expect(attempts).toEqual([undefined, "retry", undefined]);
  });

  test("a terminal obeys nothing of it", async () => {
    await using home = await workflowHome();
    await home.script(TWO, { env: ENV });
    const command = [...PALLIUM, "workflow", "logs", "wf-test", "--agent", "one"];
    const screen = await onTerminal(command, { env: home.env });
    expect(screen).toBe("one begins\nred\n100%\nunended\na remark of one\n");
    const both = await onTerminal([...PALLIUM, "workflow", "logs", "wf-test"], { env: home.env });
    expect(both).toContain("\u001b[36mone\u001b[39m");
    const env = { ...home.env, NO_COLOR: "1" };
    expect(await onTerminal([...PALLIUM, "workflow", "logs", "wf-test"], { env })).not.toContain(
      "\u001b",
    );
  });

  test("an endless line is cut, and says so; a program that does not exist is named", async () => {
    await using home = await workflowHome();
    const env = {
      ...ENV,
      ...provider("p", "head -c 200000 /dev/zero | tr '\\0' x; no-such-program"),
    };
    await home.script(`try { await agent("p"); } catch {}`, { env });
    const [long = "", missing = ""] = await text(home);
    expect(long).toBe(`${"x".repeat(64 * 1024)} [truncated ${200000 - 64 * 1024} bytes]`);
    expect(missing).toMatch(/no-such-program.*not found/);
  });

  test("an agent that is none of it is an error, and nothing printed is said", async () => {
    await using home = await workflowHome();
    await home.script(`return agent("p", { label: "quiet" });`, { stub: "answer" });
    const { stderr } = await home.pallium([
      "workflow",
      "logs",
      "wf-test",
      "--agent",
      "loud",
      "--json",
    ]);
    expect(errorOf(stderr)).toMatchObject({
      code: "agent_not_found",
      hints: ["its agents: quiet"],
    });
    const nothing = await home.pallium(["workflow", "logs", "wf-test"]);
    expect(nothing).toMatchObject({ stdout: "", exitCode: 0 });
    expect(nothing.stderr).toContain("nothing that an agent of wf-test printed is on file");
    const unknown = await home.pallium(["workflow", "logs", "wf-other", "--json"]);
    expect(errorOf(unknown.stderr).code).toBe("run_not_found");
  });
});

describe("of a run at work", () => {
  test("--follow prints what comes and ends with the run", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    const following = spawnOn(home, "logs", "--follow");
    const output = reading(following.stdout);
    await output.until("one | one works\n");
    await output.until("two | two works\n");
    await letGo(home);
    const all = await output.whole();
    expect(await following.exited).toBe(0);
    expect(all).toContain("one | done\n");
    expect(all).toContain("two | done\n");
    await runner.exited;
  });

  test("--follow waits for an agent that has not begun", async () => {
    await using home = await workflowHome();
    const source = `
      await agent("p", { label: "first" });
      return agent("p", { label: "second" });`;
    const runner = await runAtWork(home, source);
    const [second, never] = [
      spawnOn(home, "logs", "--follow", "--agent", "second"),
      spawnOn(home, "logs", "--follow", "--agent", "never"),
    ];
    await letGo(home);
    expect(await second.stdout.text()).toBe("second works\ndone\n");
    expect(await never.stdout.text()).toBe("");
    expect(await never.stderr.text()).toContain('run wf-test has no agent "never"');
    expect([await second.exited, await never.exited]).toEqual([0, 1]);
    await runner.exited;
  });

  test("--follow notices at once that its reader has gone, though nobody prints", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, TWO);
    expect(await headOf(home, "logs", "--follow")).toMatch(/^\w+ \| \w+ works\n0\n$/);
    await letGo(home);
    await runner.exited;
  });

  test("--follow on a terminal prints each line when it comes", async () => {
    await using home = await workflowHome();
    const runner = await runAtWork(home, `return agent("p", { label: "one" });`);
    const screen = await onTerminal([...PALLIUM, "workflow", "logs", "wf-test", "--follow"], {
      env: home.env,
      onData: (text) => {
        if (text.includes("works")) writeFileSync(join(home.directory, "go"), "");
      },
    });
    expect(screen).toContain("one works\n");
    expect(screen).toContain("done\n");
    await runner.exited;
  });
});
