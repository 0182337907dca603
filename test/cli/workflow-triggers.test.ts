/** Triggers from the command line (oracles 82 and 91, weakness C10). */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import type { BackgroundRun } from "../../src/workflow/run/background.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import type {
  SkippedTrigger,
  TriggerRecord,
  WatchReport,
} from "../../src/workflow/triggers/types.ts";
import { PALLIUM } from "../support/cli.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { processEnds } from "../support/processes.ts";
import { errorOf, provider } from "../support/workflow.ts";

const TRIGGER = ["workflow", "trigger"];

/** A repository with a script outside of it, so that the script is no change. */
async function triggerHome(script = "return 1;") {
  const edits = await editHome();
  const path = join(edits.home.directory, "t.js");
  await Bun.write(path, script);
  const withEnv = (env: Readonly<Record<string, string>>) => {
    const call = (...args: string[]) =>
      edits.home.pallium([...TRIGGER, ...args], { cwd: edits.repo.path, env });
    return {
      call,
      json: async <T>(...args: string[]): Promise<T> => {
        const { stdout, stderr } = await call(...args, "--json");
        if (stdout === "") throw new Error(`no document: ${stderr}`);
        return JSON.parse(stdout) as T;
      },
    };
  };
  const { call, json } = withEnv({});
  return {
    edits,
    path,
    call,
    json,
    withEnv,
    add: (name: string, ...flags: string[]) =>
      call("add", name, "look", "--script", path, ...flags, "--json"),
    [Symbol.asyncDispose]: () => edits[Symbol.asyncDispose](),
  };
}

function storeOf(edits: EditHome): Database {
  return new Database(join(edits.home.directory, ".pallium", "pallium.sqlite"));
}

function setDue(edits: EditHome, name: string, at: Date): void {
  using store = storeOf(edits);
  store.run("UPDATE workflow_triggers SET next_due_at = ? WHERE name = ?", [
    at.toISOString(),
    name,
  ]);
}

describe("the record of a trigger", () => {
  test("is made, changed, listed, shown, switched and deleted", async () => {
    await using home = await triggerHome();
    const added = JSON.parse(
      (await home.add("one", "--kind", "on-changed", "--path", "src/**")).stdout,
    );
    expect(added).toMatchObject({
      name: "one",
      kind: "on-changed",
      task: "look",
      enabled: true,
      paths: ["src/**"],
    });
    const set = await home.json<TriggerRecord>(
      "set",
      "one",
      "again",
      "--disabled",
      "--cron",
      "0 9 * * 1-5",
      "--tz",
      "Europe/Berlin",
    );
    expect(set).toMatchObject({
      kind: "cron",
      task: "again",
      enabled: false,
      created_at: added.created_at,
      time_zone: "Europe/Berlin",
    });
    expect(set.paths).toBeUndefined();
    expect((await home.json<TriggerRecord>("enable", "one")).enabled).toBe(true);
    expect((await home.json<TriggerRecord>("disable", "one")).enabled).toBe(false);
    expect((await home.call("ls")).stdout).toBe("- one [cron] enabled=false task=again\n");
    expect((await home.call("show", "one")).stdout).toContain(
      "Workflow trigger one [cron]\nEnabled: false\nTask: again\nCWD: ",
    );
    expect(await home.json<unknown>("delete", "one")).toEqual({ deleted: true, name: "one" });
    const { stdout } = await home.edits.home.pallium(["workflow", "triggers", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test.each([
    [["add", "x", "t", "--kind", "on-change"], "usage"],
    [["add", "x", "t", "--kind", "webhook"], "usage"],
    [["add", "x", "t", "--kind", "interval"], "usage"],
    [["add", "x", "t", "--every", "1s", "--cron", "* * * * *"], "usage"],
    [["add", "x", "t", "--path", "src"], "usage"],
    [["add", "x", "t", "--tz", "UTC"], "usage"],
    [["add", "x", "t", "--args", "{"], "usage"],
    [["add", "x", "t", "--script", "a", "--workflow", "b"], "usage"],
    [["add", "x"], "usage"],
    [["add", "x/y", "t"], "invalid_id"],
    [["add", "x", "t", "--cwd", "nowhere"], "cwd_not_found"],
    [["watch", "--once", "--interval", "0s"], "usage"],
  ])("%p is refused as %s", async (args, code) => {
    await using home = await triggerHome();
    const { exitCode, stderr } = await home.call(...args, "--json");
    expect([exitCode, errorOf(stderr).code]).toEqual([2, code]);
  });

  test("names the kind, and the trigger, that was meant", async () => {
    await using home = await triggerHome();
    const wrong = await home.call("add", "x", "t", "--kind", "on-change", "--json");
    expect(errorOf(wrong.stderr).hints).toContain("did you mean on-changed?");
    await home.add("nightly");
    const { stderr, exitCode } = await home.call("run", "nihtly", "--json");
    expect([exitCode, errorOf(stderr).code]).toEqual([1, "trigger_not_found"]);
    expect(errorOf(stderr).hints).toContain("did you mean nightly?");
  });
});

describe("trigger run", () => {
  test("starts a run that the trigger names, also when nothing changed (oracle 82)", async () => {
    await using home = await triggerHome();
    await home.add("one");
    const first = await home.json<{ run: { id: string } }>("run", "one");
    expect(first.run.id).toStartWith("wf-one-");
    expect((await home.json<TriggerRecord>("show", "one")).last_run_id).toBe(first.run.id);
    const second = await home.json<{ run: { id: string } }>("run", "one", "--id", "mine");
    expect(second.run.id).toBe("mine");
    expect((await home.json<TriggerRecord>("show", "one")).last_run_id).toBe("mine");
  });

  test("of a trigger that is disabled is refused", async () => {
    await using home = await triggerHome();
    await home.add("one", "--disabled");
    const { exitCode, stderr } = await home.call("run", "one", "--json");
    expect([exitCode, errorOf(stderr).message]).toEqual([1, 'workflow trigger "one" is disabled']);
  });

  test.each(["on-changed", "on-commit"])(
    "%s is skipped until something changes (oracle 82)",
    async (kind) => {
      await using home = await triggerHome();
      await home.add("c", "--kind", kind);
      const { run } = await home.json<{ run: { id: string } }>("run", "c");
      const skip = await home.call("run", "c", "--json");
      expect(JSON.parse(skip.stdout)).toEqual({
        last_run_id: run.id,
        name: "c",
        reason: "unchanged",
        skipped: true,
      });
      expect((await home.call("run", "c")).stdout).toBe("Workflow trigger c skipped: unchanged\n");
      await home.edits.repo.commit("more", { "a.txt": "more\n" });
      expect(await home.json<object>("run", "c")).toHaveProperty("run");
    },
  );

  test("leaves the trigger as it was where no run came about, and tries again (oracle 82, C10)", async () => {
    await using home = await triggerHome();
    await home.add("c", "--kind", "on-changed");
    await home.json("run", "c");
    const before = await home.json<TriggerRecord>("show", "c");
    await home.edits.repo.write({ "a.txt": "changed\n" });
    await Bun.file(home.path).delete();
    const failed = await home.call("run", "c", "--json");
    expect([failed.exitCode, errorOf(failed.stderr).code]).toEqual([1, "script_not_found"]);
    expect(await home.json<TriggerRecord>("show", "c")).toEqual(before);
    await Bun.write(home.path, "return 2;");
    expect(await home.json<object>("run", "c")).toMatchObject({ run: { result: "2" } });
  });

  test("takes it back where the run is refused after it was put down", async () => {
    await using home = await triggerHome();
    await home.add("c", "--kind", "on-changed");
    await home.json("run", "c", "--id", "collected");
    using store = storeOf(home.edits);
    store.run("UPDATE workflow_runs SET collected_at = updated_at WHERE id = 'collected'");
    const before = await home.json<TriggerRecord>("show", "c");
    await home.edits.repo.write({ "a.txt": "changed\n" });
    const { stderr } = await home.call("run", "c", "--id", "collected", "--json");
    expect(errorOf(stderr).code).toBe("run_collected");
    expect(await home.json<TriggerRecord>("show", "c")).toEqual(before);
    expect(await home.json<object>("run", "c")).toHaveProperty("run");
  });

  test("that starts and fails counts (oracle 82)", async () => {
    await using home = await triggerHome('throw new Error("no");');
    await home.add("c", "--kind", "on-changed");
    expect((await home.call("run", "c", "--json")).exitCode).toBe(1);
    expect(await home.json<SkippedTrigger>("run", "c")).toMatchObject({
      skipped: true,
      reason: "unchanged",
    });
  });

  test("fires once where several find the same change (C10)", async () => {
    await using home = await triggerHome();
    await home.add("c", "--kind", "on-changed");
    const all = await Promise.all(Array.from({ length: 5 }, () => home.json<object>("run", "c")));
    expect(all.filter((one) => "run" in one)).toHaveLength(1);
    expect(all.filter((one) => "skipped" in one)).toHaveLength(4);
  });

  test("grants network where it is told to, and only then (oracle 91)", async () => {
    await using home = await triggerHome();
    await home.add("n");
    type Run = { run: { allow_network?: boolean } };
    expect((await home.json<Run>("run", "n", "--allow-network")).run.allow_network).toBe(true);
    expect((await home.json<Run>("run", "n")).run.allow_network ?? false).toBe(false);
  });
});

describe("trigger watch", () => {
  const watch = async (home: Awaited<ReturnType<typeof triggerHome>>, kind: string) => {
    const report = await home.json<WatchReport>("watch", "--once", "--kind", kind);
    expect(
      outputs["workflow.trigger.watch" as OperationName].safeParse(report).error?.issues ?? [],
    ).toEqual([]);
    return report;
  };

  test("skips what is unchanged and runs what changed (oracle 82)", async () => {
    await using home = await triggerHome();
    await home.add("c", "--kind", "on-changed");
    await home.json("run", "c");
    const idle = await watch(home, "on-changed");
    expect(idle).toMatchObject({
      checked: 1,
      skipped: 1,
      started: 0,
      errors: 0,
      background: false,
    });
    expect(idle.next_check).toBeUndefined();
    await home.edits.repo.write({ "a.txt": "x\n" });
    expect(await watch(home, "on-changed")).toMatchObject({ checked: 1, started: 1, skipped: 0 });
    await home.edits.repo.write({ "a.txt": "y\n" });
    expect(await watch(home, "on-changed")).toMatchObject({ checked: 1, started: 1, skipped: 0 });
  });

  test("runs no manual trigger, and none that is disabled (C10)", async () => {
    await using home = await triggerHome();
    await home.add("m");
    await home.add("off", "--kind", "on-changed", "--disabled");
    expect(await watch(home, "all")).toMatchObject({ checked: 0, started: 0 });
    expect(await watch(home, "manual")).toMatchObject({ checked: 0, started: 0 });
  });

  test("goes on after a trigger that fails, which stays due", async () => {
    await using home = await triggerHome();
    await home.add("good", "--kind", "on-changed");
    await home.call("add", "bad", "look", "--script", "none.js", "--every", "1h");
    setDue(home.edits, "bad", new Date(Date.now() - 1000));
    const report = await watch(home, "all");
    expect(report).toMatchObject({ checked: 2, started: 1, errors: 1 });
    expect(report.results).toContainEqual({
      name: "bad",
      code: "script_not_found",
      error: expect.any(String),
    });
    expect(await watch(home, "interval")).toMatchObject({ errors: 1 });
  });

  test("runs once for all the times that passed, and says how many; then waits for the next", async () => {
    await using home = await triggerHome();
    await home.add("hourly", "--every", "1h");
    expect(await watch(home, "all")).toMatchObject({
      skipped: 1,
      results: [{ name: "hourly", reason: "not_due" }],
    });
    const due = new Date(Date.now() - 3.5 * 3_600_000);
    setDue(home.edits, "hourly", due);
    expect(await watch(home, "all")).toMatchObject({
      started: 1,
      results: [{ name: "hourly", missed: 3 }],
    });
    const { next_due_at: next } = await home.json<TriggerRecord>("show", "hourly");
    expect(next).toBe(new Date(due.getTime() + 4 * 3_600_000).toISOString());
    expect(await watch(home, "all")).toMatchObject({ started: 0, skipped: 1 });
  });

  test("never grants network, and lets a person fire what is not due", async () => {
    await using home = await triggerHome();
    await home.add("hourly", "--every", "1h");
    await home.json("run", "hourly", "--allow-network");
    setDue(home.edits, "hourly", new Date(Date.now() - 1));
    const { results: [result] = [] } = await watch(home, "all");
    const run = result !== undefined && "run" in result ? result.run : undefined;
    expect([run?.status, run?.allow_network ?? false]).toEqual(["completed", false]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "prints each cycle when it is over, at the time that is due, until %s ends it",
    async (signal, status) => {
      await using home = await triggerHome();
      await home.add("soon", "--every", "1h");
      setDue(home.edits, "soon", new Date(Date.now() + 1500));
      const child = Bun.spawn(
        [...PALLIUM, ...TRIGGER, "watch", "--kind", "all", "--interval", "1h", "--json"],
        {
          cwd: home.edits.repo.path,
          env: home.edits.home.env,
          stdout: "pipe",
          stderr: "pipe",
        },
      );
      const lines: WatchReport[] = [];
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        text += decoder.decode(chunk, { stream: true });
        const parts = text.split("\n");
        text = parts.pop() ?? "";
        lines.push(...parts.map((line) => JSON.parse(line)));
        if (lines.length === 2) child.kill(signal);
      }
      expect(await child.exited).toBe(status);
      expect(errorOf(await child.stderr.text())).toMatchObject({ code: "interrupted" });
      expect(lines).toMatchObject([
        { started: 0, skipped: 1 },
        { started: 1, skipped: 0 },
      ]);
      expect(lines[0]?.next_check).toBeString();
      const [, { results: [result] = [] } = {}] = lines;
      expect(result).toMatchObject({ name: "soon", status: "background" });
      const { id } = result as BackgroundRun;
      const { run } = await home.edits.home.json<Snapshot>(["workflow", "show", id]);
      await processEnds(run.owner_pid ?? 0);
    },
  );

  test("starts runs that go on without it, and reports them at once (C10)", async () => {
    await using home = await triggerHome('return await agent("x");');
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "exec sleep 300") };
    for (const name of ["a", "b"]) {
      await home.add(name, "--every", "1h");
      setDue(home.edits, name, new Date(Date.now() - 1));
    }
    const report = await home
      .withEnv(env)
      .json<WatchReport>("watch", "--once", "--background", "--kind", "all");
    expect(report).toMatchObject({ background: true, started: 2 });
    for (const result of report.results ?? []) {
      const { id } = result as BackgroundRun;
      const stopped = await home.edits.home.json(["workflow", "stop", id]);
      expect(stopped).toEqual({ id, status: "stopped", unchanged: false });
    }
  });

  test("takes a firing back that finds no room in the fleet (oracle 82)", async () => {
    await using home = await triggerHome('return await agent("x");');
    const env = {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", "exec sleep 300"),
      PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS: "1",
    };
    await home.add("one");
    await home.add("two", "--kind", "on-changed");
    const { id } = await home.withEnv(env).json<BackgroundRun>("run", "one", "--background");
    const before = await home.json<TriggerRecord>("show", "two");
    const refused = await home.withEnv(env).call("run", "two", "--background", "--json");
    expect([refused.exitCode, errorOf(refused.stderr).code]).toEqual([1, "fleet_limit"]);
    expect(await home.json<TriggerRecord>("show", "two")).toEqual(before);
    await home.edits.home.pallium(["workflow", "stop", id]);
  });
});
