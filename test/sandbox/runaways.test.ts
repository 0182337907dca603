/** C7: whatever a script does, its limit ends it in time, the row says so, and nothing goes on. */
import { describe, expect, test } from "bun:test";
import { runningFrom } from "../support/leftovers.ts";
import { workflowHome } from "../support/workflow.ts";
import { LIMIT_FLAGS, RUNAWAYS, STALL_SECONDS } from "./runaways.ts";

/** From its limit to its end, besides what an undisturbed run takes. */
const ALLOWED_MS = 1000;

describe("a runaway is ended in time (C7)", () => {
  test.each(RUNAWAYS)("$name: $code", async ({ script, code }) => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(script, {
      stub: "{{PROMPT}}",
      flags: LIMIT_FLAGS[code],
    });
    const { error_code, status, completed_at } = snapshot.run;
    const hasFinishedCalls = snapshot.agents.some((agent) => agent.status === "completed");
    expect({ error_code, status, exitCode }).toEqual({
      error_code: code,
      status: hasFinishedCalls ? "completed_with_failures" : "failed",
      exitCode: 1,
    });
    expect(completed_at).toBeString();
    expect(snapshot.agents.filter((agent) => agent.status === "running")).toEqual([]);
    expect(runningFrom(home.directory)).toEqual([]);
  });

  test("a busy one within a second of the limit", async () => {
    await using home = await workflowHome();
    const flags = LIMIT_FLAGS.script_stalled;
    const undisturbed = await elapsed(() => home.script("return 1;", { flags }));
    const stalled = await elapsed(() => home.script("for (;;) {}", { id: "wf-busy", flags }));
    expect(stalled - undisturbed).toBeLessThan(STALL_SECONDS * 1000 + ALLOWED_MS);
  });
});

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
