/** `workflow diff`: which edits of which run it shows, and what it says of those that it cannot. */
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { changes, diff, failure, ONE_EDIT } from "../support/diff-runs.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { age } from "../support/old-runs.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider } from "../support/workflow.ts";

describe("which edits", () => {
  test("are applied, reverted or neither is said, wherever it is asked", async () => {
    await using edits = await editHome({ "sub/a.txt": "one\n" });
    await edits.script(ONE_EDIT, { editor: "echo two >> sub/a.txt; echo ok" });
    const patch = (await diff(edits)).stdout;
    expect(patch).toContain("+two\n");
    expect((await changes(edits))[0]?.state).toBe("applied");
    await edits.json("workflow", "revert", "wf-test");
    expect((await changes(edits))[0]?.state).toBe("reverted");
    const below = { cwd: edits.repo.join("sub") };
    expect((await edits.home.pallium(["workflow", "diff", "wf-test"], below)).stdout).toBe(patch);
    expect((await edits.home.pallium(["workflow", "diff", "wf-test"], { cwd: "/" })).stdout).toBe(
      patch,
    );
  });

  test("a failed run made is shown too", async () => {
    await using edits = await editHome();
    await edits.script(
      `await agent("e", { mode: "edit", provider: "editor" }); throw new Error("no");`,
      {
        editor: "echo four >> a.txt; echo ok",
      },
    );
    expect((await diff(edits)).stdout).toContain("+four\n");
    expect((await changes(edits))[0]?.state).toBe("staged");
    expect(await edits.status()).toBe("");
  });

  test("were made until now is shown while the run goes on, and once its runner is killed", async () => {
    await using edits = await editHome();
    const started = edits.repo.join(".git/started");
    const runner = await startRun(
      edits.home,
      `await agent("e", { label: "quick", mode: "edit", provider: "quick", repo: args.repo });
       await agent("e", { label: "slow", mode: "edit", provider: "slow", repo: args.repo });`,
      {
        ...provider("quick", "echo four >> a.txt; echo ok"),
        ...provider("slow", `echo half > half; touch ${started}; exec sleep 600`),
      },
      ["--args", JSON.stringify({ repo: edits.repo.path })],
    );
    await fileAppears(started);
    const patch = (await diff(edits)).stdout;
    expect(patch).toEndWith("\n three\n+four\n");
    runner.kill("SIGKILL");
    await runner.exited;
    expect((await diff(edits)).stdout).toBe(patch);
    expect(await failure(edits, "--call", "slow")).toMatchObject({ code: "no_patches" });
    await edits.json("workflow", "stop", "wf-test");
  });

  test("came later than those that are applied is said", async () => {
    await using edits = await editHome();
    const first = `await agent("e", { mode: "edit", provider: "editor" });`;
    const agents = { editor: "echo more >> a.txt; echo ok" };
    await edits.script(first, agents);
    await edits.script(
      `${first} await agent("f", { mode: "edit", provider: "editor" }); throw 1;`,
      agents,
    );
    const [all] = await changes(edits);
    expect(all).toMatchObject({ state: "partly_applied", files: [{ additions: 2 }] });
    const [applied] = await changes(edits, "--applied");
    expect(applied).toMatchObject({ files: [{ additions: 1 }] });
    expect(applied?.calls.map(({ id }) => id)).toEqual(all?.calls.slice(0, 1).map(({ id }) => id));
  });

  test("--applied shows what several applications did to one file as one change", async () => {
    await using edits = await editHome();
    const first = `await agent("e", { mode: "edit", provider: "one" });`;
    const agents = { one: "echo four >> a.txt; echo ok", two: "echo five >> a.txt; echo ok" };
    await edits.script(first, agents);
    await edits.script(`${first} await agent("f", { mode: "edit", provider: "two" });`, agents);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\nfive\n");
    const [applied] = await changes(edits, "--applied");
    expect(applied).toMatchObject({ files: [{ path: "a.txt", additions: 2, deletions: 0 }] });
  });

  test("--applied shows what was done to files that the user changed as well", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
    await using edits = await editHome({ "a.txt": `${lines}\n`, "same.txt": "one\n" });
    await edits.repo.write({ "a.txt": `${lines}\nby the user\n`, "same.txt": "two\n" });
    await edits.script(ONE_EDIT, {
      editor: "sed -i '19s/.*/by the agent/' a.txt; echo two > same.txt; echo ok",
    });
    expect((await diff(edits)).stdout).toContain("same.txt");
    const applied = (await diff(edits, "--applied")).stdout;
    expect(applied).toContain("+by the agent\n");
    expect(applied).toContain("\n by the user\n");
    expect(applied).not.toContain("same.txt");
    await edits.json("workflow", "revert", "wf-test");
    const { stdout, stderr } = await diff(edits, "--applied");
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "Nothing was changed.\n" });
  });

  test("did not go together is told, and where both sides are", async () => {
    await using edits = await editHome();
    const { snapshot } = await edits.script(
      `await parallel(["x", "y"], (name) => agent("e", { label: name, mode: "edit", provider: name }));`,
      { x: "sed -i '2s/.*/ex/' a.txt; echo ok", y: "sed -i '2s/.*/why/' a.txt; echo ok" },
    );
    const lost = snapshot.agents.find(({ apply_state }) => apply_state === "conflict");
    const { stdout, stderr } = await diff(edits);
    expect(stdout.match(/^\+(ex|why)$/gm)).toHaveLength(1);
    expect(stderr).toContain(
      `warning: ${lost?.label} does not go together with the others, and is no part of this: a.txt; its own edits are in ${lost?.patch_path}`,
    );
    const shown = await diff(edits, "--stat");
    expect(shown.stdout).toContain(
      ` 1 removed\n${lost?.label} does not go together with the others`,
    );
    expect(shown.stderr).toBe("");
    const [all] = await changes(edits);
    expect(all?.conflicts).toMatchObject([{ label: lost?.label, paths: ["a.txt"] }]);
    expect(await Bun.file(all?.conflicts[0]?.others_path ?? "").text()).toContain("-two\n");
    const own = await diff(edits, "--call", lost?.label ?? "");
    expect(own.stdout).toBe(await Bun.file(lost?.patch_path ?? "").text());
    expect(own.stderr).toContain("does not go together");
  });

  test("are in several repositories stand under the name of each; --repo takes one", async () => {
    await using edits = await editHome();
    await using other = await editHome({ "sub/o.txt": "other\n" });
    await edits.script(
      `await agent("e", { mode: "edit", provider: "editor" });
       await agent("e", { mode: "edit", provider: "editor", repo: args.other });`,
      { editor: "echo new > new.txt; echo ok" },
      { flags: ["--args", JSON.stringify({ other: other.repo.path })] },
    );
    const roots = [edits.repo.path, other.repo.path].sort();
    const { stdout } = await diff(edits);
    const headings = stdout.split("\n").filter((line) => line.startsWith("# "));
    expect(headings.map((line) => line.replace(/^# (.*): .*$/, "$1"))).toEqual(roots);
    expect((await changes(edits)).map(({ root }) => root)).toEqual(roots);
    const one = await diff(edits, "--repo", other.repo.join("sub"));
    expect(one.stdout).toStartWith("diff --git a/new.txt b/new.txt\n");
    expect(await failure(edits, "--repo", "/")).toMatchObject({ code: "repo_not_edited" });
  });

  test("were made by nobody is said, and is no failure", async () => {
    await using edits = await editHome();
    await edits.script("return 1;");
    const { stdout, stderr, exitCode } = await diff(edits);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: "Nothing was changed.\n",
      exitCode: 0,
    });
    expect(await changes(edits)).toEqual([]);
    expect((await diff(edits, "--stat")).stdout).toBe("Nothing was changed.\n");
  });
});

describe("what cannot be shown", () => {
  test("has a code and a next step", async () => {
    await using edits = await editHome();
    await edits.script(
      `await agent("look", { label: "looker", provider: "looker" });
       await parallel([1, 2], (n) => agent("e" + n, { label: "twin", mode: "edit", provider: "editor" }));`,
      { looker: "echo seen", editor: "echo $$ > $$.txt; echo ok" },
    );
    const unknown = await edits.home.pallium(["workflow", "diff", "wf-other", "--json"]);
    expect(errorOf(unknown.stderr)).toMatchObject({ code: "run_not_found" });
    expect(await failure(edits, "--call", "twins")).toMatchObject({
      code: "call_not_found",
      hints: ["those that edited: twin"],
    });
    const { code, hints } = await failure(edits, "--call", "twin");
    expect(code).toBe("call_ambiguous");
    expect(hints[0]).toMatch(/^name one by its id: agent-\S+, agent-\S+$/);
    expect(await failure(edits, "--call", "looker")).toMatchObject({ code: "no_patches" });
  });

  test("of an agent that failed is in its working tree, which is named", async () => {
    await using edits = await editHome();
    const { snapshot } = await edits.script(
      `await parallel([1], () => agent("e", { label: "bad", mode: "edit", provider: "bad" }));`,
      { bad: "echo half > half; exit 1" },
    );
    expect(await failure(edits, "--call", "bad")).toMatchObject({
      code: "no_patches",
      hints: [
        `what it did until it ended is in its working tree: ${snapshot.agents[0]?.worktree}`,
        "no agent of the run edited anything",
      ],
    });
  });

  test("is what workflow gc removed", async () => {
    await using edits = await editHome();
    await edits.script(ONE_EDIT, { editor: "echo four >> a.txt; echo ok" });
    age(edits.home, "wf-test", 30);
    await edits.json("workflow", "gc");
    expect(await failure(edits)).toMatchObject({ code: "run_collected" });
    expect(await failure(edits, "--call", "editor")).toMatchObject({ code: "run_collected" });
  });

  test("is the whole of a change whose repository is gone; the agents' own patches are left", async () => {
    await using edits = await editHome();
    await edits.script(ONE_EDIT, { editor: "echo four >> a.txt; echo ok" });
    await rm(edits.repo.path, { recursive: true });
    expect(await failure(edits)).toMatchObject({ code: "repo_not_found" });
    expect((await diff(edits, "--call", "editor")).stdout).toContain("+four\n");
    await rm(edits.runFile("patches"), { recursive: true });
    expect(await failure(edits, "--call", "editor")).toMatchObject({ code: "edit_objects_lost" });
  });

  test.each([
    [["--call", "x", "--applied"]],
    [["--call", "x", "--repo", "."]],
    [["--stat", "--side-by-side"]],
    [["--call="]],
  ])("is %j", async (args) => {
    await using edits = await editHome();
    await edits.script("return 1;");
    const { stderr, exitCode } = await diff(edits, ...args, "--json");
    expect({ code: errorOf(stderr).code, exitCode }).toEqual({ code: "usage", exitCode: 2 });
  });
});
