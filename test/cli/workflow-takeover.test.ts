/** A runner is killed while its workers work: what they finished, or still do, is taken over. */
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Says that it began, waits to be let go, and answers; every start is in the ledger. */
const WAITING = [
  'echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"',
  'echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"',
  'while [ ! -e "$HOME/go" ]; do sleep 0.02; done',
  'echo "answer of the first start"',
  'touch "$HOME/finished"',
].join("; ");
const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WAITING) };
const SOURCE = `return await agent("one", { label: "a" });`;

async function killedRun(home: WorkflowHome, source = SOURCE, flags: readonly string[] = []) {
  const runner = await startRun(home, source, env, flags);
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
}

async function letGo(home: WorkflowHome): Promise<void> {
  await writeFile(join(home.directory, "go"), "");
}

async function resume(home: WorkflowHome, flags: readonly string[] = []): Promise<Snapshot> {
  const { stdout } = await home.pallium(["workflow", "resume", "wf-test", "--json", ...flags], {
    env,
  });
  return JSON.parse(stdout) as Snapshot;
}

const ledger = async (home: WorkflowHome) =>
  (await readFile(join(home.directory, "ledger"), "utf8")).trim().split("\n");

describe("after the runner was killed, a call", () => {
  test("that finished meanwhile is taken over", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    await letGo(home);
    await fileAppears(join(home.directory, "finished"));
    const { run, agents } = await resume(home);
    expect(run).toMatchObject({ status: "completed", result: "answer of the first start" });
    expect(agents).toMatchObject([{ status: "completed", outcome: "ok" }]);
    expect(await ledger(home)).toEqual(["a"]);
  });

  test("that still runs is waited for and taken over", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    const list = await home.json<RunRecord[]>(["workflow", "list"]);
    expect(list).toMatchObject([{ id: "wf-test", status: "interrupted" }]);
    expect(await isGone(home, "ready")).toBe(false);
    const resumed = resume(home);
    await letGo(home);
    const { run, agents } = await resumed;
    expect(run).toMatchObject({ status: "completed", result: "answer of the first start" });
    expect(agents).toHaveLength(1);
    expect(await ledger(home)).toEqual(["a"]);
    expect(await isGone(home, "ready")).toBe(true);
  });

  test("that runs over its deadline is ended, the deadline counted from its start", async () => {
    await using home = await workflowHome();
    await killedRun(home, SOURCE, ["--agent-timeout", "1"]);
    const { agents } = await resume(home);
    expect(agents).toMatchObject([{ outcome: "timeout" }]);
    expect(await isGone(home, "ready")).toBe(true);
    expect(await ledger(home)).toEqual(["a"]);
  });

  test("that left nothing is run again", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    const pid = Number((await readFile(join(home.directory, "ready"), "utf8")).trim());
    const { stdout } = Bun.spawnSync(["ps", "-o", "pgid=", "-p", String(pid)]);
    process.kill(-Number(stdout.toString().trim()), "SIGKILL");
    await letGo(home);
    const { run } = await resume(home);
    expect(run.status).toBe("completed");
    expect(await ledger(home)).toEqual(["a", "a"]);
  });

  test("that the script no longer makes is ended", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    const { snapshot } = await home.script(`return "other";`, { env });
    expect(snapshot.run).toMatchObject({ status: "completed", result: "other" });
    expect(await isGone(home, "ready")).toBe(true);
  });

  test("is charged and counted once", async () => {
    await using home = await workflowHome();
    const flags = ["--max-agents", "1", "--max-budget-usd", "0.01"];
    await killedRun(home, SOURCE, flags);
    await letGo(home);
    const { run } = await resume(home);
    expect(run.status).toBe("completed");
  });

  test("of a check is taken over too", async () => {
    await using home = await workflowHome();
    const command = `${WAITING.replaceAll("$PALLIUM_WORKFLOW_LABEL", "check")}`;
    await killedRun(home, `return (await check(${JSON.stringify(command)})).output_tail;`);
    await letGo(home);
    const { run } = await resume(home);
    expect(run.result).toContain("answer of the first start");
    expect(await ledger(home)).toEqual(["check"]);
  });
});
