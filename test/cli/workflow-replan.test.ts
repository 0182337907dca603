/** `coordinator.replan` in scripts, through the real program. */
import { describe, expect, test } from "bun:test";
import type { ResumePlan } from "../../src/workflow/run/resume-plan.ts";
import { provider, workflowHome } from "../support/workflow.ts";

const ANSWER = '{"decision":"go on","next_steps":["test"]}';

/** Answers replanning, and everything else with the words of its prompt. */
const PROVIDER = {
  PALLIUM_WORKFLOW_PROVIDER: "p",
  ...provider(
    "p",
    `case "$PALLIUM_WORKFLOW_LABEL" in coordinator-replan) echo '${ANSWER}';;
      bad) [ -e "$HOME/mended" ] || exit 3; echo mended;; *) echo "did it";; esac`,
  ),
};

const prompts = (agents: readonly { label?: string; prompt: string }[]) =>
  agents.filter(({ label }) => label === "coordinator-replan").map(({ prompt }) => prompt);

describe("coordinator.replan", () => {
  test("tells an agent the goal and what was done, and returns its plan (oracle 4)", async () => {
    await using home = await workflowHome();
    const { result, snapshot } = await home.script(
      `await agent("a", { label: "first" });
       await agent("b", { label: "bad" }).catch(() => {});
       return await coordinator.replan("make it green", { mode: "edit", isolation: "worktree" });`,
      { env: PROVIDER },
    );
    expect(result).toEqual({ decision: "go on", next_steps: ["test"] });
    expect(snapshot.agents.at(-1)).toMatchObject({
      label: "coordinator-replan",
      mode: "read-only",
    });
    const [prompt = ""] = prompts(snapshot.agents);
    expect(prompt).toContain("make it green");
    expect(prompt).toContain("- first [ok]: did it");
    expect(prompt.indexOf("- bad [failed]:")).toBeGreaterThan(0);
    expect(prompt.indexOf("- bad")).toBeLessThan(prompt.indexOf("- first"));
  });

  test.each([
    ["coordinator.replan()", "goal_required", "coordinator.replan goal is required"],
    ['coordinator.replan("g", { lable: "x" })', "bad_option", 'did you mean "label"'],
  ])("%s is refused", async (call, code, message) => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`await ${call}`, { env: PROVIDER });
    expect(snapshot.run).toMatchObject({ error_code: code });
    expect(snapshot.run.error).toContain(message);
  });

  test("is found again by a resume: its prompt holds nothing of the clock (S3)", async () => {
    await using home = await workflowHome();
    const source = `await agent("a", { label: "a" });
      const one = await coordinator.replan("goal");
      await agent("b", { label: "b" });
      const two = await coordinator.replan("goal");
      return [one, two, await coordinator.replan("other goal")];`;
    const first = await home.script(source, { env: PROVIDER });
    expect(first.snapshot.agents).toHaveLength(5);
    const plan = await home.json<ResumePlan>(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 5, misses: 0, not_reached: [] });
    const again = await home.script(source, { env: PROVIDER });
    expect(again.result).toEqual(first.result);
    expect(again.snapshot.agents).toHaveLength(5);
  });

  test("is asked anew once a call ended otherwise than it knew", async () => {
    await using home = await workflowHome();
    const source = `await agent("a", { label: "bad" }).catch(() => {});
      return await coordinator.replan("goal");`;
    await home.script(source, { env: PROVIDER });
    await home.script(source, { env: PROVIDER });
    const kept = await home.script(source, { env: PROVIDER });
    expect(prompts(kept.snapshot.agents)).toHaveLength(1);
    await Bun.write(`${home.directory}/mended`, "");
    const mended = await home.script(source, { env: PROVIDER });
    expect(prompts(mended.snapshot.agents)).toHaveLength(2);
    expect(prompts(mended.snapshot.agents)[1]).toContain("- bad [ok]: mended");
  });

  test("in items of a group does not depend on which of them ended first (S3, E4)", async () => {
    await using home = await workflowHome();
    const source = `const work = async (name) => {
        await agent(name, { label: name });
        return coordinator.replan("goal of " + name);
      };
      await agent("before", { label: "before" });
      return parallel(["slow", "fast", "faster"], work);`;
    const first = await home.script(source, { env: PROVIDER });
    for (const prompt of prompts(first.snapshot.agents)) {
      expect(prompt.match(/^- \w+/gm)).toHaveLength(2);
    }
    const again = await home.script(source, { env: PROVIDER });
    expect(again.snapshot.agents).toHaveLength(7);
  });

  test("is told of so many calls, however many there were, each cut (S3)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `await parallel(Array.from({ length: 300 }, (_, i) => i), (i) => agent("x".repeat(5000) + i, { label: "l" + i }));
       await coordinator.replan("goal");`,
      { stub: '{"decision":"{{PROMPT}}","next_steps":[]}' },
    );
    const [prompt = ""] = prompts(snapshot.agents);
    expect(prompt.length).toBeLessThan(20_000);
    expect(prompt).toContain("260 earlier calls are not shown.");
  });
});
