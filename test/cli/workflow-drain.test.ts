/** `workflow pause --drain`: what is at work is let finish, nothing else begins. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { startBackground } from "../support/background.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears, textAppears } from "../support/files.ts";
import { openStore } from "../support/store.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Agents that say that they are at work, and answer once they are told to. */
const HELD =
  'touch "$HOME/at-$PALLIUM_WORKFLOW_LABEL"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo "done $PALLIUM_WORKFLOW_LABEL"';
const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", HELD) };

const atWork = (home: WorkflowHome, label: string) =>
  fileAppears(join(home.directory, `at-${label}`));
const goOn = (home: WorkflowHome) => writeFile(join(home.directory, "go"), "");

/** Asks for a pause and waits until the runner was told; resolves with what the command says in the end. */
async function drain(home: WorkflowHome) {
  const asked = home.pallium(["workflow", "pause", "wf-test", "--drain", "--json"]);
  const log = join(home.directory, ".pallium", "workflow-runs", "wf-test", "runner.log");
  await textAppears(log, "no other begins");
  return { ended: async () => JSON.parse((await asked).stdout) };
}

const labels = (snapshot: Snapshot) =>
  snapshot.agents.map(({ label, status }) => `${label} ${status}`).toSorted();

describe("a drain", () => {
  test("lets agents finish, begins no other, and resume does the rest", async () => {
    await using home = await workflowHome();
    const script = `const first = await parallel(["a", "b", "c"], (label) => agent(label, { label }));
      return [...first, await agent("last", { label: "last" })];`;
    await using run = await startBackground(home, script, {
      env,
      flags: ["--max-concurrent-agents", "2"],
    });
    await Promise.all([atWork(home, "a"), atWork(home, "b")]);
    const drained = await drain(home);
    await goOn(home);
    expect(await drained.ended()).toEqual({ id: "wf-test", status: "paused", unchanged: false });
    const paused = await run.ended();
    expect(paused.run).toMatchObject({ status: "paused", error: "workflow paused" });
    expect(labels(paused)).toEqual(["a completed", "b completed"]);
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    expect(JSON.parse(resumed.run.result ?? "")).toEqual(
      ["a", "b", "c", "last"].map((l) => `done ${l}`),
    );
    expect(labels(resumed)).toHaveLength(4);
  });

  test("lets a run that has nothing else to do complete", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, `return await agent("a", { label: "a" });`, {
      env,
    });
    await atWork(home, "a");
    const drained = await drain(home);
    await goOn(home);
    expect(await drained.ended()).toEqual({ id: "wf-test", status: "completed", unchanged: true });
    expect((await run.ended()).run.result).toBe("done a");
  });

  test("waits for no busy provider, which is asked again by the resume", async () => {
    await using home = await workflowHome();
    const busy = `echo x >> "$HOME/asked-$PALLIUM_WORKFLOW_LABEL"
      if [ -e "$HOME/calm" ]; then echo "done $PALLIUM_WORKFLOW_LABEL"; exit 0; fi
      echo '{"retry_after_seconds":300}' > "$PALLIUM_WORKFLOW_USAGE_FILE"
      touch "$HOME/at-$PALLIUM_WORKFLOW_LABEL"; echo "error: overloaded"; exit 1`;
    const providers = { ...env, ...provider("busy", busy) };
    const script = `return await parallel([
      () => agent("a", { label: "a", provider: "busy" }),
      () => agent("b", { label: "b" }),
    ]);`;
    await using run = await startBackground(home, script, { env: providers });
    await Promise.all([atWork(home, "a"), atWork(home, "b")]);
    const log = join(home.directory, ".pallium", "workflow-runs", "wf-test", "runner.log");
    await textAppears(log, "a is tried again");
    const drained = await drain(home);
    await goOn(home);
    expect(await drained.ended()).toEqual({ id: "wf-test", status: "paused", unchanged: false });
    expect(labels(await run.ended())).toEqual(["a paused", "b completed"]);
    expect(await Bun.file(join(home.directory, "asked-a")).text()).toBe("x\n");
    await writeFile(join(home.directory, "calm"), "");
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], providers);
    expect(JSON.parse(resumed.run.result ?? "")).toEqual(["done a", "done b"]);
  });

  test("lets the fix of a loop finish; the next check begins after the resume", async () => {
    await using edits = await editHome();
    const { home, repo } = edits;
    const fixing = `touch "$HOME/at-fix"; until [ -e "$HOME/go" ]; do sleep 0.02; done; touch fixed; echo '{"summary":"fixed"}'`;
    const fixer = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", fixing) };
    const script = `return (await verify.untilGreen("test -e fixed")).ok;`;
    const flags = ["--cwd", repo.path];
    await using run = await startBackground(home, script, { env: fixer, flags });
    await atWork(home, "fix");
    const drained = await drain(home);
    await goOn(home);
    expect(await drained.ended()).toMatchObject({ status: "paused" });
    expect((await run.ended()).agents.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
    ]);
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], fixer);
    expect(resumed.run).toMatchObject({ status: "completed", result: "true" });
    expect(await Bun.file(join(repo.path, "fixed")).exists()).toBe(true);
  });

  test("pauses at once where only a person is waited for", async () => {
    await using home = await workflowHome();
    const script = `return await gate("release", "may it?", { manual: true });`;
    await using run = await startBackground(home, script);
    while ((await home.json<object[]>(["workflow", "gate", "list", "wf-test"])).length === 0);
    const ended = await home.json<object>(["workflow", "pause", "wf-test", "--drain"]);
    expect(ended).toMatchObject({ status: "paused" });
    expect((await run.ended()).run.status).toBe("paused");
  });

  test.each(["pause", "stop"])("is outranked by a plain %s", async (verb) => {
    await using home = await workflowHome();
    await using run = await startBackground(home, `return await agent("a", { label: "a" });`, {
      env,
    });
    await atWork(home, "a");
    const drained = await drain(home);
    const status = verb === "stop" ? "stopped" : "paused";
    expect(await home.json<object>(["workflow", verb, "wf-test"])).toMatchObject({ status });
    expect(await drained.ended()).toMatchObject({ status });
    expect(labels(await run.ended())).toEqual([`a ${status}`]);
  });

  test("of a run that nobody executes is a pause", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(home, `return await agent("a", { label: "a" });`, {
      env,
    });
    await atWork(home, "a");
    process.kill(run.runner, "SIGKILL");
    await run.ended();
    const ended = await home.json<object>(["workflow", "pause", "wf-test", "--drain"]);
    expect(ended).toEqual({ id: "wf-test", status: "paused", unchanged: false });
    using store = await openStore(join(home.directory, ".pallium", "pallium.sqlite"));
    expect(store.all("SELECT * FROM workflow_controls")).toEqual([]);
  });
});
