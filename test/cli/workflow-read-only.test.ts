/** A store that may be read and not written: every report of it can be had, and nothing else. */
import { describe, expect, test } from "bun:test";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { giveToOwner, asOwner as runAsOwner, startAsOwner } from "../support/as-owner.ts";
import { fileAppears } from "../support/files.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const SOURCE = `phase("look"); return await agent("one", { label: "a" });`;

const asOwner = (home: WorkflowHome, words: string) =>
  runAsOwner(home, words, { PALLIUM_WORKFLOW_AGENT_STUB: "other" });

/** Takes the owner's right to write to the store until disposed. */
async function protect(home: WorkflowHome, modes: { file: number; folder: number }) {
  giveToOwner(home);
  const folder = join(home.directory, ".pallium");
  for (const name of await readdir(folder)) {
    if (name.startsWith("pallium.sqlite")) await chmod(join(folder, name), modes.file);
  }
  await chmod(folder, modes.folder);
  return { [Symbol.asyncDispose]: () => chmod(folder, 0o700) };
}

describe.each([
  ["whose file is read-only", { file: 0o400, folder: 0o700 }],
  ["whose folder is read-only", { file: 0o600, folder: 0o500 }],
  ["that is read-only altogether", { file: 0o400, folder: 0o500 }],
])("a store %s", (_what, modes) => {
  test("answers every report", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "answer" });
    const files = await readdir(join(home.directory, ".pallium"));
    await using _protection = await protect(home, modes);
    const told = async (words: string) => {
      const { stdout, stderr, exitCode } = await asOwner(home, `workflow ${words}`);
      expect([words, stderr, exitCode]).toEqual([words, "", 0]);
      return stdout;
    };
    expect(JSON.parse(await told("list --json"))).toMatchObject([{ id: "wf-test" }]);
    expect(await told("status wf-test")).toStartWith("VERDICT: FINISHED");
    expect(await told("inspect wf-test")).toContain("VERDICT: FINISHED");
    expect(JSON.parse(await told("show wf-test --json")).run.status).toBe("completed");
    expect(await told("read wf-test")).toBe("answer\n");
    expect((await told("events wf-test --json")).trim().split("\n")).toHaveLength(6);
    expect(JSON.parse(await told("resume wf-test --plan --json"))).toMatchObject({
      calls: [{ label: "a", result: "hit" }],
      hits: 1,
      misses: 0,
    });
    expect(await readdir(join(home.directory, ".pallium"))).toEqual(files);
  });

  test("takes no run, and leaves a finished one as it is", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "answer" });
    await using _protection = await protect(home, modes);
    for (const words of ["run task", "resume wf-test"]) {
      const { stdout, stderr, exitCode } = await asOwner(home, `workflow ${words} --json`);
      expect([words, stdout, exitCode]).toEqual([words, "", 1]);
      expect(errorOf(stderr).code).toBe("database_readonly");
    }
    const { stdout } = await asOwner(home, "workflow stop wf-test --json");
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", unchanged: true });
  });

  test("whose runner died is read as it is: the run is not marked, which is said", async () => {
    await using home = await workflowHome();
    const script = join(home.directory, "script.js");
    await writeFile(script, SOURCE);
    giveToOwner(home);
    const waiting = 'touch "$HOME/ready"; while [ -d "$HOME" ]; do sleep 0.05; done';
    const runner = startAsOwner(home, `workflow run --id wf-test --script ${script}`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", waiting),
    });
    await fileAppears(join(home.directory, "ready"));
    runner.kill("SIGKILL");
    await runner.exited;
    {
      await using _protection = await protect(home, modes);
      const list = await asOwner(home, "workflow list --json");
      expect(list.exitCode).toBe(0);
      expect(JSON.parse(list.stdout)).toMatchObject([{ id: "wf-test", status: "running" }]);
      expect(list.stderr).toContain("stale runs were not reconciled: the database cannot be");
      const plan = await asOwner(home, "workflow resume wf-test --plan --json");
      expect(JSON.parse(plan.stdout)).toMatchObject({ calls: [{ result: "adopt" }] });
      const stop = await asOwner(home, "workflow stop wf-test --json");
      expect(errorOf(stop.stderr).code).toBe("database_readonly");
    }
    await home.pallium(["workflow", "stop", "wf-test"]);
  });
});
