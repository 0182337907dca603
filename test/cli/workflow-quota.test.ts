/** A provider whose quota is used up pauses the run, or is replaced; nothing is charged or lost. */
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { lineOf, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Until the file `open` is there, the quota is used up; each call leaves a line in `calls`. */
function limited(banner: string): string {
  return `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/calls"
    if [ -e "$HOME/open" ]; then echo answered; else echo "${banner}"; exit 1; fi`;
}

async function calls(home: WorkflowHome): Promise<string[]> {
  return (await readFile(join(home.directory, "calls"), "utf8")).trim().split("\n");
}

function usingP(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

const RESET = new Date(Date.now() + 3_600_000);
const BANNER = `You've hit your usage limit|${Math.floor(RESET.getTime() / 1000)}`;

describe("a used-up quota", () => {
  test("pauses the run until the time its banner names; nothing is charged, nothing more started", async () => {
    await using home = await workflowHome();
    const env = usingP(limited(BANNER));
    const { snapshot, stderr, exitCode } = await home.script(
      `try { return await parallel([1, 2, 3], (n) => agent("x" + n, { label: "l" + n })); }
       catch { return "swallowed"; }`,
      { env, flags: ["--max-concurrent-agents", "1", "--max-agents", "3"] },
    );
    const resumeAfter = `${RESET.toISOString().slice(0, 19)}.000Z`;
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({
      status: "paused",
      error_code: "provider_quota",
      resume_after: resumeAfter,
      error: `the quota of provider "p" is used up, until ${resumeAfter}`,
    });
    expect(snapshot.run.failures).toBeUndefined();
    expect(snapshot.agents).toHaveLength(1);
    expect(snapshot.agents[0]).toMatchObject({ status: "paused", outcome: "quota" });
    expect(snapshot.agents[0]?.estimated_cost_usd).toBeUndefined();
    expect(errorOf(stderr).hints.join()).toContain("--resume-after-quota");
    expect(await calls(home)).toEqual(["l1"]);

    await writeFile(join(home.directory, "open"), "");
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    expect(resumed.run).toMatchObject({
      status: "completed",
      result: expect.stringContaining("answered"),
    });
    expect(resumed.run.resume_after).toBeUndefined();
    expect((await calls(home)).sort()).toEqual(["l1", "l1", "l2", "l3"]);
  });

  test("lets the calls of other providers finish", async () => {
    await using home = await workflowHome();
    const env = {
      ...usingP(`while [ ! -e "$HOME/begun" ]; do sleep 0.02; done; echo quota exceeded; exit 1`),
      ...provider("q", `touch "$HOME/begun"; sleep 0.3; echo done`),
    };
    const { snapshot } = await home.script(
      `return await Promise.all([agent("a", { provider: "q" }), agent("b")]);`,
      { env },
    );
    expect(snapshot.run.status).toBe("paused");
    expect(snapshot.run.resume_after).toBeUndefined();
    const states = snapshot.agents.map(({ provider, outcome }) => `${provider} ${outcome}`);
    expect(states.sort()).toEqual(["p quota", "q ok"]);
  });

  test("is waited for with --resume-after-quota, in the same process", async () => {
    await using home = await workflowHome();
    const command = `echo x >> "$HOME/calls"
      if [ -e "$HOME/open" ]; then echo answered
      else touch "$HOME/open"; echo "usage limit|$(( $(date +%s) + 2 ))"; exit 1; fi`;
    const { snapshot, stderr, exitCode } = await home.script(`return await agent("x");`, {
      env: usingP(command),
      flags: ["--resume-after-quota"],
    });
    expect(exitCode).toBe(0);
    expect(snapshot.run).toMatchObject({ status: "completed", result: "answered" });
    expect(stderr).toContain("waiting until");
    expect(snapshot.agents.map(({ outcome }) => outcome)).toEqual(["quota", "ok"]);
  });

  test.each([
    ["SIGINT", "paused", 130],
    ["SIGTERM", "stopped", 143],
  ] as const)("%s ends the wait: the run is %s", async (signal, status, exit) => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("x");`, usingP(limited(BANNER)), [
      "--resume-after-quota",
    ]);
    await lineOf(runner.stderr, "waiting until");
    runner.kill(signal);
    expect(await runner.exited).toBe(exit);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe(status);
  });

  test("a stop from elsewhere ends the wait", async () => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("x");`, usingP(limited(BANNER)), [
      "--resume-after-quota",
    ]);
    await lineOf(runner.stderr, "waiting until");
    await home.json(["workflow", "stop", "wf-test"]);
    expect(await runner.exited).toBe(1);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe("stopped");
  });
});

describe("a fallback list", () => {
  test("has the next provider take over, and a resume finds its answers", async () => {
    await using home = await workflowHome();
    const env = {
      ...usingP(limited(BANNER)),
      ...provider("q", `echo "q $PALLIUM_WORKFLOW_LABEL" >> "$HOME/calls"; echo from q`),
    };
    const script = `return await parallel([1, 2], (n) => agent("x", { label: "l" + n }));`;
    const flags = ["--fallback", "missing,q", "--max-concurrent-agents", "1", "--max-agents", "2"];
    const { snapshot, result } = await home.script(script, { env, flags });
    expect(result).toEqual(["from q", "from q"]);
    expect(snapshot.run.status).toBe("completed");
    expect(snapshot.agents.map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      "p quota",
      "q ok",
      "q ok",
    ]);
    expect(snapshot.agents[0]?.superseded).toBe(true);
    await home.script(script, { env, flags });
    expect(await calls(home)).toEqual(["l1", "q l1", "q l2"]);
  });

  test("whose providers all fail says so, although one only had no quota", async () => {
    await using home = await workflowHome();
    const env = { ...usingP(limited(BANNER)), ...provider("q", "exit 1") };
    const { stderr, exitCode } = await home.script(
      `return await parallel([1], () => agent("x"));`,
      { env, flags: ["--fallback", "q"] },
    );
    expect(exitCode).toBe(1);
    expect(errorOf(stderr).code).toBe("every_agent_failed");
  });

  test("is not for calls that name their provider", async () => {
    await using home = await workflowHome();
    const env = {
      ...provider("p", limited(BANNER)),
      ...provider("q", "echo from q"),
      PALLIUM_WORKFLOW_FALLBACK: "q",
    };
    const { snapshot } = await home.script(`return await agent("x", { provider: "p" });`, { env });
    expect(snapshot.run.status).toBe("paused");
  });

  test("serves where the first choice is not installed", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`return await agent("x");`, {
      env: provider("q", "echo from q"),
      flags: ["--codex", "/nowhere/codex", "--fallback", "codex,q"],
    });
    expect(result).toBe("from q");
  });
});
