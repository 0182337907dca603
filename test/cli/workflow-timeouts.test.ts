/** Agents that take longer than they may. */
import { describe, expect, test } from "bun:test";
import { provider, workflowHome } from "../support/workflow.ts";

describe("a timeout", () => {
  test("drops the item, with the contract's text (oracle 33)", async () => {
    await using home = await workflowHome();
    const command = `case "$PALLIUM_WORKFLOW_PROMPT" in slow) sleep 60;; esac; echo fine`;
    const { result, snapshot } = await home.script(
      `return await parallel(["slow", "quick"], (x) => agent(x));`,
      {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
        flags: ["--agent-timeout", "1"],
      },
    );
    expect(result).toEqual([null, "fine"]);
    expect(snapshot.agents[0]).toMatchObject({
      status: "failed",
      outcome: "timeout",
      error: expect.stringContaining("workflow agent timed out after 1s"),
    });
  });

  test("of one direct call fails the run (oracle 33)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("slow", { timeout_seconds: 1 });`, {
      env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "sleep 60") },
    });
    expect(snapshot.run).toMatchObject({
      status: "failed",
      error: expect.stringContaining("workflow agent timed out after 1s"),
    });
  });

  test.each(["timeout_seconds", "timeoutSeconds", "TIMEOUTSECONDS"])(
    "holds for stubs too, and may be written as %s (E9)",
    async (name) => {
      await using home = await workflowHome();
      const { snapshot } = await home.script(`return await agent("x", { ${name}: 1 });`, {
        stub: "late",
        env: { PALLIUM_WORKFLOW_AGENT_STUB_DELAY_MS: "60000" },
      });
      expect(snapshot.agents[0]).toMatchObject({ outcome: "timeout" });
    },
  );
});
