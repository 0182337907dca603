/** `workflow report`: what a run found. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { WorkflowReport } from "../../src/workflow/reports/report.ts";
import type { Inspection } from "../../src/workflow/reports/status.ts";
import type { ReadResult } from "../../src/workflow/service.ts";
import { PALLIUM } from "../support/cli.ts";
import { NEUTRAL_GIT } from "../support/repo-runs.ts";
import { testRepository } from "../support/repository.ts";
import { onTerminal, plain } from "../support/terminal.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const STUB = JSON.stringify({
  summary: "Looks sound",
  observations: [" no tests "],
  risks: ["data may be lost"],
  next_steps: [{ message: "write tests" }],
});

const report = (home: WorkflowHome, ...args: string[]) =>
  home.json<WorkflowReport>(["workflow", "report", "wf-test", ...args]);

describe("a report", () => {
  test("has findings, risks and next steps of agents, what was dropped, and no sessions unless asked (oracle 84)", async () => {
    await using home = await workflowHome();
    const script = (more = "") => `phase("look");
      await agent("look", { label: "looker" });
      await parallel([1], () => { throw new Error("no such thing"); });${more}
      return { ok: true };`;
    await home.script(script(), { stub: STUB });
    const document = await report(home);
    expect(outputs["workflow.report"].safeParse(document).error?.issues ?? []).toEqual([]);
    expect(document).toMatchObject({
      id: "wf-test",
      status: "completed",
      verdict: "VERDICT: FINISHED — 1/1 agents complete, 1 dropped",
      summary: "Workflow wf-test completed with 1 agents across 1 phases.",
      findings: ["no tests"],
      risks: ["data may be lost"],
      next_steps: ["write tests"],
      agents: [
        {
          label: "looker",
          phase: "look",
          provider: "codex",
          mode: "read-only",
          status: "completed",
          estimated_cost_usd: 0.01,
          summary: "Looks sound",
          risks: ["data may be lost"],
        },
      ],
      failures: [{ error: expect.stringContaining("no such thing") }],
    });
    expect(document).not.toHaveProperty("related_sessions");
    expect(document).not.toHaveProperty("decisions");
    const inspected = await home.json<Inspection>(["workflow", "inspect", "wf-test"]);
    const read = await home.json<ReadResult>(["workflow", "read", "wf-test"]);
    expect([inspected.failures, read.failures]).toEqual([
      document.failures ?? [],
      document.failures ?? [],
    ]);
    await home.script(script("\nlog('edited');"), { stub: STUB });
    const { status } = await home.json<Inspection>(["workflow", "inspect", "wf-test"]);
    expect(status.script_changed).toBe(true);
  });

  test("names no sessions where none are remembered", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const args = ["workflow", "report", "wf-test", "--related"];
    const { stdout, stderr } = await home.pallium([...args, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ related_sessions: [], agents: [] });
    expect(stderr).toBe("");
    expect((await home.pallium(args)).stdout).toContain("Related sessions:\n- none");
  });

  test("takes its summary from the result, and of an agent that has none the beginning of its answer", async () => {
    await using home = await workflowHome();
    const answer = "é".repeat(200);
    await home.script(`await agent("x"); return { summary: "All in all", findings: ["late"] };`, {
      stub: answer,
    });
    const document = await report(home);
    expect(document).toMatchObject({ summary: "All in all", findings: ["late"] });
    expect(document.agents[0]?.summary).toBe(`${"é".repeat(120)}...`);
    expect(document.agents[0]?.label).toMatch(/^agent-/);
  });

  test("as text begins with the verdict, and a terminal obeys nothing in it", async () => {
    await using home = await workflowHome();
    const clear = "\\u001b[2J";
    await home.script(`await agent("x", { label: "one" }); return {};`, {
      stub: `{"findings":["a${clear}b ${"word ".repeat(30)}"],"verdict":"fine"}`,
      flags: ["look at it"],
    });
    const { stdout } = await home.pallium(["workflow", "report", "wf-test"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "VERDICT: FINISHED — 1/1 agents complete",
      "Workflow report wf-test: completed",
      "Task: look at it",
      "Summary: Workflow wf-test completed with 1 agents across 0 phases.",
      "",
      "Findings:",
    ]);
    expect(stdout).toContain("- a\\x1b[2Jb word");
    expect(stdout).toContain(
      "- one completed provider=codex mode=read-only phase=\n  summary: fine",
    );
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test("has colours on a terminal", async () => {
    await using home = await workflowHome();
    await home.script(`return { findings: ["late"] };`, { flags: ["look at it"] });
    const command = [...PALLIUM, "workflow", "report", "wf-test"];
    const env = { HOME: home.directory };
    const shown = await onTerminal(command, { columns: 80, env });
    expect(shown).toStartWith("\u001b[32mVERDICT: FINISHED — 0/0 agents complete\u001b[39m\n");
    expect(shown).toContain("\n\u001b[1mFindings:\u001b[22m\n- late\n");
    const { stdout } = await home.pallium(["workflow", "report", "wf-test"]);
    expect(plain(shown)).toBe(stdout);
  });

  test("of an unknown run names the next step", async () => {
    await using home = await workflowHome();
    const { stderr, exitCode } = await home.pallium(["workflow", "report", "none", "--json"]);
    expect(exitCode).toBe(1);
    expect(errorOf(stderr)).toMatchObject({ code: "run_not_found" });
  });
});

test("decisions of other runs are those of the same repository that hold the task as it stands (X9)", async () => {
  await using home = await workflowHome();
  await using repo = await testRepository();
  await using other = await testRepository();
  await repo.commit("base", { "sub/a.txt": "a" });
  await other.commit("base", { "a.txt": "a" });
  const titles = async (id: string) =>
    (await home.json<WorkflowReport>(["workflow", "report", id])).decisions?.map(
      ({ title }) => title,
    );
  const decide = (id: string, cwd: string, task: string, ...decisions: string[]) =>
    home.script(
      `for (const title of ${JSON.stringify(decisions)}) await pallium.decisions.record(title);`,
      { id, cwd, flags: [task], env: NEUTRAL_GIT },
    );
  await decide("wf-1", repo.path, "first", "100% of Tests stay", "1000 tests stay", "unrelated");
  await decide("wf-2", other.path, "second", "100% of tests, elsewhere");
  await decide("wf-3", repo.join("sub"), "100% of tests", "its own");
  expect(await titles("wf-3")).toEqual(["its own", "100% of Tests stay"]);
  await decide("wf-4", repo.path, "%");
  expect(await titles("wf-4")).toEqual(["100% of Tests stay"]);
  await decide("wf-5", repo.path, "_");
  expect(await titles("wf-5")).toBeUndefined();
  const { stdout } = await home.pallium(["workflow", "report", "wf-3"]);
  expect(stdout).toContain("Decisions:\n- its own (wf-3)\n- 100% of Tests stay (wf-1)");
});
