/** `workflow stop --agent`: one agent ends, the run goes on. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { startBackground } from "../support/background.ts";
import { fileAppears } from "../support/files.ts";
import { isGone } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const HELD = [
  'echo "$$" > "$HOME/pid-$PALLIUM_WORKFLOW_LABEL.new"',
  'mv "$HOME/pid-$PALLIUM_WORKFLOW_LABEL.new" "$HOME/pid-$PALLIUM_WORKFLOW_LABEL"',
  'until [ -e "$HOME/go" ]; do sleep 0.02; done; echo "done $PALLIUM_WORKFLOW_LABEL"',
].join("; ");
const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", HELD) };

const atWork = (home: WorkflowHome, label: string) =>
  fileAppears(join(home.directory, `pid-${label}`));
const goOn = (home: WorkflowHome) => writeFile(join(home.directory, "go"), "");
const stop = (home: WorkflowHome, agent: string) =>
  home.pallium(["workflow", "stop", "wf-test", "--agent", agent, "--json"]);

describe("stopping one agent", () => {
  test("ends its processes; others go on, and a resume has it done after all", async () => {
    await using home = await workflowHome();
    const script = `return await parallel(["a", "b"], (label) => agent(label, { label }));`;
    await using run = await startBackground(home, script, { env });
    await Promise.all([atWork(home, "a"), atWork(home, "b")]);
    const { stdout } = await stop(home, "a");
    const shown = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    const [agent] = shown.agents;
    expect(JSON.parse(stdout)).toEqual({
      id: "wf-test",
      status: "running",
      unchanged: false,
      agent: agent?.id,
      agent_status: "stopped",
    });
    expect(await isGone(home, "pid-a")).toBe(true);
    await goOn(home);
    const { run: ended } = await run.ended();
    expect(JSON.parse(ended.result ?? "")).toEqual([null, "done b"]);
    expect(ended.failures).toEqual([
      { label: "a", error: "stopped by pallium workflow stop --agent" },
    ]);
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    expect(JSON.parse(resumed.run.result ?? "")).toEqual(["done a", "done b"]);
  });

  test("is an error that the script can catch", async () => {
    await using home = await workflowHome();
    const script = `return await agent("a", { label: "a" }).catch((error) => error.code);`;
    await using run = await startBackground(home, script, { env });
    await atWork(home, "a");
    await stop(home, "a");
    expect((await run.ended()).run).toMatchObject({ status: "completed", result: "agent_stopped" });
  });

  test("ends a check too, by its id", async () => {
    await using home = await workflowHome();
    const script = `return await check("touch $HOME/pid-check; exec sleep 300", { label: "c" }).catch((e) => e.code);`;
    await using run = await startBackground(home, script);
    await atWork(home, "check");
    const { agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    await stop(home, agents[0]?.id ?? "");
    expect((await run.ended()).run.result).toBe("agent_stopped");
  });

  test("says which are meant where none or several are", async () => {
    await using home = await workflowHome();
    const script = `return await parallel([1, 2], (n) => agent("a" + n, { label: "a" }));`;
    await using run = await startBackground(home, script, { env });
    await atWork(home, "a");
    while ((await home.json<Snapshot>(["workflow", "show", "wf-test"])).agents.length < 2);
    const none = errorOf((await stop(home, "x")).stderr);
    expect([none.code, none.hints]).toEqual(["agent_not_found", ["at work: a, a"]]);
    const several = errorOf((await stop(home, "a")).stderr);
    expect(several.code).toBe("agent_ambiguous");
    await goOn(home);
    await run.ended();
    expect(errorOf((await stop(home, "a")).stderr).code).toBe("run_not_at_work");
    const unknown = await home.pallium(["workflow", "stop", "no", "--agent", "a", "--json"]);
    expect(errorOf(unknown.stderr).code).toBe("run_not_found");
  });
});
