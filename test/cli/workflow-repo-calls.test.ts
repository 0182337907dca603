/** `pallium.*` in scripts, on a real repository, through the real program. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Inspection, StatusReport } from "../../src/workflow/reports/status.ts";
import { NEUTRAL_GIT, repoRuns } from "../support/repo-runs.ts";

test("every function answers what its command answers", async () => {
  await using at = await repoRuns();
  await at.repo.write({ "src/a.ts": "export const a = 3;\n" });
  const { result, exitCode, snapshot, stderr } = await at.script(`
    const done = {};
    done.start = await pallium.task.start("tighten a", "src/a.ts");
    done.show = await pallium.task.show();
    done.explain = await pallium.explain("src/a.ts");
    done.safe = await pallium.safe("src/a.ts");
    done.plan = await pallium.plan("src/a.ts");
    done.changedNow = await pallium.changedNow();
    done.preflight = await pallium.preflight("tighten a", "src/a.ts");
    done.review = await pallium.review();
    done.handoff = await pallium.handoff("HEAD~1");
    done.verify = await pallium.verify("fast", { dryRun: true });
    done.clear = await pallium.task.clear();
    return done;`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(result).toMatchObject({
    start: { goal: "tighten a", scope_paths: ["src/a.ts"] },
    show: { goal: "tighten a" },
    explain: { path: "src/a.ts" },
    safe: { path: "src/a.ts", risk: { path: "src/a.ts" } },
    plan: { path: "src/a.ts" },
    changedNow: { files: [{ path: "src/a.ts" }] },
    preflight: { task: "tighten a", scope_paths: ["src/a.ts"] },
    review: { base_ref: "HEAD~1" },
    handoff: { review: { base_ref: "HEAD~1" } },
    verify: { tier: "fast", not_run: [expect.any(String)] },
    clear: { status: "cleared" },
  });
  const { explain } = result as { explain: object };
  const command = ["explain", "src/a.ts", at.repo.path];
  const asked = await at.home.json<object>(command, NEUTRAL_GIT);
  expect(Object.keys(explain).sort()).toEqual(Object.keys(asked).sort());
  expect(snapshot.agents).toEqual([]);
});

test("they are no agents and cost nothing", async () => {
  await using at = await repoRuns();
  const source = `phase("look");
    const files = ["package.json", "check.js", "src/a.ts", "src/a.test.ts"];
    const looked = await parallel(files, (file) => pallium.explain(file));
    await agent("x");
    return [looked.length, budget.spent()];`;
  const flags = ["--cwd", at.repo.path, "--max-agents", "1"];
  const { result, snapshot } = await at.script(source, { flags, stub: "text" });
  expect(result).toEqual([4, 0.01]);
  expect(snapshot.agents.map(({ prompt }) => prompt)).toEqual(["x"]);
  expect(snapshot.phases).toMatchObject([{ name: "look", agent_count: 1 }]);
  const status = await at.home.json<StatusReport>(["workflow", "status", "wf-test"]);
  expect(status).toMatchObject({ agents_total: 1, agents_completed: 1, outcomes: { ok: 1 } });
  const { by_phase } = await at.home.json<Inspection>(["workflow", "inspect", "wf-test"]);
  expect(by_phase.look).toMatchObject({ agents_completed: 1 });
});

test("they wait for no slot of an agent or a check", async () => {
  await using at = await repoRuns();
  const source = `const waits = 'until test -e "$HOME/told"; do sleep 0.02; done';
    const tells = { command: 'touch "$HOME/told"' };
    const [checked] = await Promise.all([check(waits), pallium.verify("fast", tells)]);
    return checked.ok;`;
  const flags = ["--cwd", at.repo.path, "--max-concurrent-agents", "1"];
  expect((await at.script(source, { flags })).result).toBe(true);
});

describe("a resumed run", () => {
  const SOURCE = `phase("look");
    const before = await pallium.changedNow();
    const verified = await pallium.verify("fast", { command: "echo ran >> $HOME/ledger" });
    await agent("x");
    return [before.files.map(({ path }) => path), verified.exit_code];`;

  test("sees what it saw, though the repository changed (S8)", async () => {
    await using at = await repoRuns();
    await at.repo.write({ "src/new.ts": "export {};\n" });
    const first = await at.script(SOURCE, { stub: "text" });
    expect(first.result).toEqual([["src/new.ts"], 0]);
    await at.repo.write({ "src/new.ts": null, "src/other.ts": "export {};\n" });
    const again = await at.script(SOURCE, { stub: "text" });
    expect(again.result).toEqual(first.result);
    expect(again.snapshot.phases).toMatchObject([{ agent_count: 1 }]);
    expect(await readFile(join(at.home.directory, "ledger"), "utf8")).toBe("ran\n");
    const plan = ["workflow", "resume", "wf-test", "--plan"];
    expect(await at.home.json<object>(plan)).toMatchObject({ hits: 3, misses: 0, not_reached: [] });
  });

  test("asks anew what failed", async () => {
    await using at = await repoRuns({ indexed: false });
    const source = 'return (await pallium.explain("src/a.ts")).path;';
    const { exitCode, snapshot } = await at.script(source);
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: "not_indexed" });
    await at.home.pallium(["index", at.repo.path], { env: NEUTRAL_GIT });
    expect((await at.script(source)).result).toBe("src/a.ts");
  });
});

describe("errors", () => {
  test("are Error objects with the code of the command, and are listed with the run", async () => {
    await using at = await repoRuns({ indexed: false });
    const { result, snapshot, stderr } = await at.script(`
      const caught = async (work) => {
        try { await work(); return "no error"; }
        catch (error) { return [error instanceof Error, error.code, error.message]; }
      };
      const { freshness } = await pallium.preflight("tighten a", "src/a.ts");
      return [
        freshness.index_status,
        await caught(() => pallium.explain("src/a.ts")),
        await caught(() => pallium.verify("fats")),
        await caught(() => pallium.review("main", { stagd: true })),
      ];`);
    expect(result).toEqual([
      "missing",
      [
        true,
        "not_indexed",
        expect.stringMatching(/^pallium explain src\/a.ts failed: repo has not/),
      ],
      [true, "usage", expect.stringContaining("use fast, safe, or full")],
      [true, "bad_option", expect.stringContaining('did you mean "staged"?')],
    ]);
    expect(snapshot.run.failures).toHaveLength(3);
    expect(stderr).toContain("pallium explain src/a.ts failed: repo has not been indexed yet");
    expect(stderr).not.toContain("failed: pallium explain");
  });

  test("outside of a repository say so", async () => {
    await using at = await repoRuns();
    const flags = ["--cwd", at.home.directory];
    const { snapshot } = await at.script("return await pallium.changedNow();", { flags });
    expect(snapshot.run.error_code).toBe("not_a_repository");
  });

  test("of a verification that fails are its report, and are said", async () => {
    await using at = await repoRuns();
    const source = `const { exit_code, results } = await pallium.verify("safe", { command: "echo why; exit 3" });
      return [exit_code, results[0].output.trim()];`;
    const { result, exitCode, stderr } = await at.script(source);
    expect(result).toEqual([3, "why"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("failed with exit code 3");
  });
});

describe("the stub", () => {
  const env = { PALLIUM_WORKFLOW_PALLIUM_STUB: '{"args":"{{ARGS}}"}' };

  test("answers with the words of the command (oracle 5)", async () => {
    await using at = await repoRuns();
    const source = `return [
      await pallium.verify("fast"),
      await pallium.explain("README.md"),
      await pallium.preflight("tighten auth", "src/auth"),
      await pallium.task.start("tighten auth", "src/auth"),
    ].map(({ args }) => args);`;
    const { result, stderr } = await at.script(source, { env });
    expect(result).toEqual([
      "verify fast",
      "explain README.md",
      "workflow preflight tighten auth --scope src/auth",
      "task start tighten auth src/auth",
    ]);
    expect(stderr).toContain("PALLIUM_WORKFLOW_PALLIUM_STUB is set");
  });

  test("may be text, and needs no repository", async () => {
    await using at = await repoRuns();
    const flags = ["--cwd", at.home.directory];
    const stubbed = { flags, env: { PALLIUM_WORKFLOW_PALLIUM_STUB: "said {{ARGS}}" } };
    expect((await at.script("return await pallium.changedNow();", stubbed)).result).toBe(
      "said changed-now",
    );
  });
});
