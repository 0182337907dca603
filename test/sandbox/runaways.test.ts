/** C7: whatever a script does, its limit ends it in time, the row says so, and nothing goes on. */
import { describe, expect, test } from "bun:test";
import { runningFrom } from "../support/leftovers.ts";
import { workflowHome } from "../support/workflow.ts";
import { stopped } from "./run-runaway.ts";
import { RUNAWAYS, STOPPED_WITHIN_MS } from "./runaways.ts";

describe("a runaway is ended within a second of its limit (C7)", () => {
  test.each(RUNAWAYS)("$name: $code", async (runaway) => {
    await using home = await workflowHome();
    const { snapshot, exitCode, lateMs } = await stopped(home, runaway);
    const { error_code, status } = snapshot.run;
    const hasFinishedCalls = snapshot.agents.some((agent) => agent.status === "completed");
    expect({ error_code, status, exitCode }).toEqual({
      error_code: runaway.code,
      status: hasFinishedCalls ? "completed_with_failures" : "failed",
      exitCode: 1,
    });
    expect(lateMs).toBeLessThan(STOPPED_WITHIN_MS);
    expect(snapshot.agents.filter((agent) => agent.status === "running")).toEqual([]);
    expect(runningFrom(home.directory)).toEqual([]);
  });
});
