/** A runner is killed between the steps of a call, or before its first. */
import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { provider, workflowHome } from "../support/workflow.ts";

test("a second attempt that is at work is taken over together with the first that ended", async () => {
  await using home = await workflowHome();
  // The other agent finds no slot in the first run; in the second it lets go of the one at work.
  const command = `case "$PALLIUM_WORKFLOW_LABEL $PALLIUM_WORKFLOW_OUTPUT_FILE" in
    other*) sleep 0.5; touch "$HOME/go"; echo let go;;
    */retry/*) echo second >>"$HOME/ledger"; touch "$HOME/ready"
      until [ -e "$HOME/go" ]; do sleep 0.02; done; echo '{"ok":true}';;
    *) echo first >>"$HOME/ledger"; echo 'no object';;
  esac`;
  const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
  const source = `const schema = { type: "object", properties: { ok: { type: "boolean" } } };
    return await Promise.all([agent("one", { schema }), agent("two", { label: "other" })]);`;
  const runner = await startRun(home, source, env, ["--max-concurrent-agents", "1"]);
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
  const flags = ["--max-concurrent-agents", "2", "--json"];
  const { stdout } = await home.pallium(["workflow", "resume", "wf-test", ...flags], { env });
  const { run } = JSON.parse(stdout) as Snapshot;
  expect(JSON.parse(run.result ?? "")).toEqual([{ ok: true }, "let go"]);
  expect(await readFile(join(home.directory, "ledger"), "utf8")).toBe("first\nsecond\n");
});

test("a run whose runner died before it had written the script's copy goes on", async () => {
  await using home = await workflowHome();
  await home.script("return 7;");
  await rm(join(home.directory, ".pallium", "workflow-runs"), { recursive: true });
  using connection = new Connection(join(home.directory, ".pallium", "pallium.sqlite"));
  connection.run("UPDATE workflow_runs SET status = 'queued'");
  const { stdout } = await home.pallium(["workflow", "resume", "wf-test", "--json"]);
  expect((JSON.parse(stdout) as Snapshot).run).toMatchObject({ status: "completed", result: "7" });
});
