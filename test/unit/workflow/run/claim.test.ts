/** A process that waited goes on with a run only as it left it. */
import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import type { WorkflowPowers } from "../../../../src/workflow/powers.ts";
import { claimRun } from "../../../../src/workflow/run/claim.ts";
import { endFromOutside } from "../../../../src/workflow/run/end-from-outside.ts";
import { type PlannedRun, scriptSource } from "../../../../src/workflow/run/request.ts";
import { requireRun } from "../../../../src/workflow/run/store.ts";
import type { Settings } from "../../../../src/workflow/settings/in-force.ts";
import { AT, addRun, openStore, withInterference } from "../../../support/store.ts";
import { tempDir } from "../../../support/temp.ts";

const NO_SETTINGS: Settings = {
  limits: {},
  variables: {},
  claude: "claude",
  models: {},
  gc: { older_than: 7, include_failed: false },
};

async function waitedFor(id: string): Promise<PlannedRun> {
  return {
    id,
    task: "t",
    cwd: "/",
    script: await scriptSource("return 1;", "s.js"),
    strict: false,
    args: null,
    argsJson: null,
    limits: {},
    settings: NO_SETTINGS,
    maxActiveRuns: 0,
    loopName: null,
    leftAt: AT,
  };
}

test.each(["pause", "stop"] as const)("a %s right before the claim stands", async (action) => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await addRun(database, "wf", "paused");
  await database.write((tx) =>
    tx.run("UPDATE workflow_runs SET error_code = 'provider_quota' WHERE id = 'wf'"),
  );
  const clock = systemClock();
  const ended = { clock, runsDirectory: dir.path };
  const racing = withInterference(database, () => endFromOutside(ended, database, "wf", action));
  const powers = { clock } as WorkflowPowers;
  const plan = await waitedFor("wf");
  await expect(claimRun(racing, powers, plan, "/s.js")).rejects.toMatchObject({
    code: "lease_lost",
  });
  const { status, error_code } = requireRun(database, "wf");
  expect([status, error_code]).toEqual(
    action === "pause" ? ["paused", "provider_quota"] : ["stopped", "workflow_stopped"],
  );
  database.close();
});

test("a run that nobody touched is claimed", async () => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await addRun(database, "wf", "paused");
  const powers = { clock: systemClock() } as WorkflowPowers;
  const { row } = await claimRun(database, powers, await waitedFor("wf"), "/s.js");
  expect(row.status).toBe("queued");
  database.close();
});
