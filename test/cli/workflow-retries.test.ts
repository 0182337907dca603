/** Providers that are busy are asked again: in time, within bounds, and never twice for one attempt. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { shellProgram } from "../support/provider-fixtures.ts";
import { lineOf, startRun } from "../support/runner.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

async function callCount(home: WorkflowHome): Promise<number> {
  return (await readFile(join(home.directory, "calls"), "utf8")).trim().split("\n").length;
}

describe("a busy provider", () => {
  /** Busy for the first two calls, with this text and a wait short enough for tests. */
  function busy(text: string, wait: number): Record<string, string> {
    const command = `echo x >> "$HOME/calls"
      echo '{"input_tokens":10,"cost_usd":0.01,"retry_after_seconds":${wait}}' > "$PALLIUM_WORKFLOW_USAGE_FILE"
      if [ $(wc -l < "$HOME/calls") -gt 2 ]; then echo answered; else echo "${text}"; exit 1; fi`;
    return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
  }

  test("is asked again after the wait it names; the usage of all attempts counts", async () => {
    await using home = await workflowHome();
    const { snapshot, result, stderr } = await home.script(
      `return await agent("x", { label: "l" });`,
      {
        env: busy("error: 429 too many requests", 0.02),
      },
    );
    expect(result).toBe("answered");
    expect(snapshot.agents).toMatchObject([
      { outcome: "ok", attempts: 3, input_tokens: 30, estimated_cost_usd: 0.03 },
    ]);
    expect(stderr).toContain("l is tried again in 0.0 s (2/3)");
    expect(await callCount(home)).toBe(3);
  });

  test("is not asked more often than --retries says", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x");`, {
      env: busy("error: overloaded", 0),
      flags: ["--retries", "1"],
    });
    expect(snapshot.agents).toMatchObject([{ outcome: "failed", attempts: 2 }]);
    expect(await callCount(home)).toBe(2);
  });

  test("whose wait would outlast the call's time is not waited for", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { timeoutSeconds: 20 });`, {
      env: busy("error: rate limit, retry after 60 seconds", 60),
    });
    expect(snapshot.agents).toMatchObject([{ outcome: "failed" }]);
    expect(await callCount(home)).toBe(1);
  });

  test("is waited for until the run is interrupted", async () => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("x");`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", `echo "error: 429, retry after 60 seconds"; exit 1`),
    });
    await lineOf(runner.stderr, "is tried again in 60 s");
    runner.kill("SIGINT");
    expect(await runner.exited).toBe(130);
    const { run, agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe("paused");
    expect(agents).toMatchObject([{ status: "paused", outcome: "cancelled" }]);
  });

  test("is asked on by the next runner where the first was killed: no attempt is paid for twice", async () => {
    await using home = await workflowHome();
    const command = `echo x >> "$HOME/calls"
      echo '{"cost_usd":0.01,"retry_after_seconds":0}' > "$PALLIUM_WORKFLOW_USAGE_FILE"
      if [ $(wc -l < "$HOME/calls") = 1 ]; then echo error: overloaded; exit 1; fi
      touch "$HOME/second"
      while [ ! -e "$HOME/go" ]; do sleep 0.02; done; echo answered`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
    const runner = await startRun(home, `return await agent("x");`, env);
    await fileAppears(join(home.directory, "second"));
    runner.kill("SIGKILL");
    await runner.exited;
    const resumed = home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    await writeFile(join(home.directory, "go"), "");
    const { run, agents } = await resumed;
    expect(run).toMatchObject({ status: "completed", result: "answered" });
    expect(agents).toMatchObject([{ outcome: "ok", attempts: 2, estimated_cost_usd: 0.02 }]);
    expect(await callCount(home)).toBe(2);
  });
});

describe("a call that was retried", () => {
  const IDS = ["room-1", "room-2", "room-3"];
  /** Claude Code is busy but for its call of this number; each has a conversation of its own. */
  async function retried(answersAt: number) {
    const home = await workflowHome();
    const answer = (error: boolean) =>
      `echo '{"type":"result","is_error":${error},"result":"529 overloaded_error","session_id":"room-'$n'"}'`;
    shellProgram(
      join(home.directory, "claude"),
      "cat > /dev/null",
      'echo x >> "$HOME/calls"; n=$(wc -l < "$HOME/calls")',
      `if [ $n -eq ${answersAt} ]; then ${answer(false)}; else ${answer(true)}; exit 1; fi`,
    );
    const { snapshot } = await home.script(`return await agent("x", { label: "l" });`, {
      env: { PATH: `${home.directory}:${process.env.PATH}`, PALLIUM_WORKFLOW_PROVIDER: "claude" },
      flags: ["--retries", "2"],
    });
    const folder = join(home.directory, ".claude/projects/p");
    await mkdir(folder, { recursive: true });
    for (const id of IDS) {
      const steps = [{ user: "x" }];
      await writeFile(
        join(folder, `${id}.jsonl`),
        claudeTranscript({ id, cwd: home.directory, steps }),
      );
    }
    await home.pallium(["sessions", "index", "--safety-buffer", "0s"]);
    const calls: unknown[] = [];
    for (const id of IDS) {
      const { stdout } = await home.pallium(["sessions", "show", id, "--json"]);
      calls.push(JSON.parse(stdout).session.workflow?.label);
    }
    const [agent] = snapshot.agents;
    await home[Symbol.asyncDispose]();
    return { calls, attempts: agent?.attempts, session: agent?.session_id };
  }

  test("has the sessions of all its attempts, that of its answer first", async () => {
    const attempts = 3;
    expect(await retried(3)).toEqual({ calls: ["l", "l", "l"], attempts, session: "room-3" });
  });

  test("has the last of them first where all failed, and none that it did not have", async () => {
    expect(await retried(4)).toEqual({ calls: ["l", "l", "l"], attempts: 3, session: "room-3" });
    const two = { calls: ["l", "l", undefined], attempts: 2, session: "room-2" };
    expect(await retried(2)).toEqual(two);
  });
});
