/** `workflow delete`: a run goes as a whole, and nothing of another one does. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { DeletedRun } from "../../src/workflow/archive/delete-run.ts";
import { editHome } from "../support/edit-runs.ts";
import { inStore, runsFolder } from "../support/old-runs.ts";
import { rowsOf, textsIn } from "../support/run-rows.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

const EDIT = `await agent("edit", { mode: "edit", provider: "p" });`;

describe("workflow delete", () => {
  test("removes rows of all tables and the files, and leaves what other runs have", async () => {
    await using home = await workflowHome();
    const script = `phase("look");
      await pallium.decisions.record("kept", "body", ["a"]);
      await gate("go");
      return agent(args.ask, { label: "l" });`;
    for (const id of ["one", "two"]) {
      const flags = ["--args", JSON.stringify({ ask: `what is ${id}?` })];
      await home.script(script, { id, flags, stub: '{"approved":true,"reason":"fine"}' });
    }
    const others = rowsOf(home, "two");
    expect(rowsOf(home, "one")).not.toEqual({});
    expect(textsIn(home)).toContain("what is one?");
    const deleted = await home.json<DeletedRun>(["workflow", "delete", "one"]);
    expect(outputs["workflow.delete"].parse(deleted)).toEqual(deleted);
    expect(deleted).toMatchObject({ id: "one", deleted: true, path: runsFolder(home, "one") });
    expect(deleted.bytes_freed).toBeGreaterThan(100);
    expect(existsSync(deleted.path)).toBe(false);
    expect(rowsOf(home, "one")).toEqual({});
    expect(rowsOf(home, "two")).toEqual(others);
    expect(textsIn(home)).not.toContain("what is one?");
    expect(textsIn(home)).toContain("what is two?");
    expect((await home.pallium(["workflow", "read", "two"])).exitCode).toBe(0);
    const again = await home.pallium(["workflow", "delete", "one", "--json"]);
    expect([again.exitCode, errorOf(again.stderr).code]).toEqual([1, "run_not_found"]);
  });

  test("lets the id be used again, with a fence that grew on", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    expect((await home.pallium(["workflow", "delete", "wf-test"])).stdout).toMatch(
      /^Workflow run deleted: wf-test \(\d+ bytes freed\)\n$/,
    );
    expect((await home.script("return 2;")).result).toBe(2);
    const fence = inStore(home, (store) => store.query("SELECT fence FROM workflow_leases").get());
    expect(fence).toEqual({ fence: 3 });
  });

  test("refuses a run whose edits are in no checkout, unless it is told to", async () => {
    await using edits = await editHome();
    await edits.script(`${EDIT} throw new Error("no");`, { p: "echo four >> a.txt; echo done" });
    const refused = await edits.home.pallium(["workflow", "delete", "wf-test", "--json"]);
    expect(refused.exitCode).toBe(1);
    expect(errorOf(refused.stderr)).toMatchObject({
      code: "edits_unapplied",
      message: "1 edit of run wf-test is in no checkout and would be lost",
    });
    expect(existsSync(edits.runFile("workflow.js"))).toBe(true);
    expect(
      (await edits.json<{ applied: string[] }>("workflow", "apply", "wf-test")).applied,
    ).toHaveLength(1);
    await edits.json("workflow", "revert", "wf-test");
    expect((await edits.home.pallium(["workflow", "delete", "wf-test"])).exitCode).toBe(1);
    expect((await edits.home.pallium(["workflow", "delete", "wf-test", "--force"])).exitCode).toBe(
      0,
    );
    expect(existsSync(edits.runFile())).toBe(false);
  });

  test("leaves what was applied in the checkout, and says so", async () => {
    await using edits = await editHome();
    await edits.script(EDIT, { p: "echo four >> a.txt; echo done" });
    const { exitCode, stderr } = await edits.home.pallium(["workflow", "delete", "wf-test"]);
    expect([exitCode, stderr]).toEqual([
      0,
      "what it applied stays in the checkout and cannot be reverted any more\n",
    ]);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
    expect(await edits.repo.git("worktree", "list", "--porcelain")).not.toContain("wf-test");
  });

  test("refuses a run at work, and one whose workers outlived their runner", async () => {
    await using home = await workflowHome();
    const [started, go] = [join(home.directory, "started"), join(home.directory, "go")];
    const wait = `echo > ${started}; while [ ! -e ${go} ]; do sleep 0.05; done; echo done`;
    const source = `return agent("wait", { provider: "p" });`;
    await Bun.write(join(home.directory, "wait.js"), source);
    const flags = [
      "workflow",
      "run",
      "--id",
      "wf-test",
      "--script",
      "wait.js",
      "--background",
      "--json",
    ];
    const env = provider("p", wait);
    const { stdout } = await home.pallium(flags, { env });
    expect(JSON.parse(stdout).id).toBe("wf-test");
    while (!existsSync(started)) await new Promise(setImmediate);
    const codeOf = async () =>
      errorOf((await home.pallium(["workflow", "delete", "wf-test", "--force", "--json"])).stderr)
        .code;
    expect(await codeOf()).toBe("run_owned");
    const owner = inStore(home, (store) =>
      store.query<{ owner_pid: number }, []>("SELECT owner_pid FROM workflow_leases").get(),
    );
    process.kill(owner?.owner_pid ?? 0, "SIGKILL");
    while (existsSync(`/proc/${owner?.owner_pid}/exe`)) await new Promise(setImmediate);
    expect(await codeOf()).toBe("run_in_use");
    expect(existsSync(runsFolder(home, "wf-test", "workflow.js"))).toBe(true);
    expect((await home.pallium(["workflow", "stop", "wf-test"])).exitCode).toBe(0);
    expect((await home.pallium(["workflow", "delete", "wf-test"])).exitCode).toBe(0);
  });

  test("does not touch the folder of a run of that id in another store", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    await home.script("return 2;", { flags: ["--db", "other.sqlite"] });
    const deleted = await home.json<DeletedRun>(["workflow", "delete", "wf-test"]);
    expect(deleted.bytes_freed).toBe(0);
    expect(existsSync(runsFolder(home, "wf-test", "workflow.js"))).toBe(true);
  });
});
