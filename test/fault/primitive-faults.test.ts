/** A runner that dies at each of its writes in turn, with gates, a nested workflow and decisions under way. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { nextPoints, strideOf } from "../support/fault-points.ts";
import { failingAt } from "../support/killed-commands.ts";
import { startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const AT_ONCE = 2;

const INNER = 'return await agent("inner", { label: "inner" });';
const SOURCE = `const { approved } = await gate("go", "Go on?");
  const nested = await workflow("inner");
  await pallium.decisions.record("Go on", "because");
  const { decision } = await coordinator.replan("finish");
  const found = await pallium.decisions.search("go");
  return [approved, nested, decision, found.length];`;
const ANSWERS = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"
  case "$PALLIUM_WORKFLOW_LABEL" in
    gate-go) echo '{"approved":true,"reason":"r"}';;
    coordinator-replan) echo '{"decision":"d","next_steps":[]}';;
    *) echo done;;
  esac`;
const ENVIRONMENT = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", ANSWERS) };

/** Read from the store, which takes no process. */
function gatesOf({ directory }: WorkflowHome): readonly string[] {
  using store = new Database(join(directory, ".pallium/pallium.sqlite"), { readonly: true });
  const rows = store.query<{ status: string }, []>("SELECT status FROM workflow_gates").all();
  return rows.map(({ status }) => status);
}

/** @returns whether the runner came to the end of its run. */
async function failAt(at: number, fault: "before" | "after"): Promise<boolean> {
  await using home = await workflowHome();
  await Bun.write(join(home.directory, ".pallium/workflows/inner.js"), INNER);
  const program = failingAt(at, fault);
  await using runner = await startRun(home, SOURCE, ENVIRONMENT, [], program);
  const exitCode = await runner.exited;
  const { result } = await home.script(SOURCE, { env: ENVIRONMENT });
  const ledger = (await Bun.file(join(home.directory, "ledger")).text()).trim().split("\n");
  expect({ at, result, ledger, gates: gatesOf(home) }).toEqual({
    at,
    result: [true, "done", "d", 1],
    ledger: ["gate-go", "inner", "coordinator-replan"],
    gates: ["approved"],
  });
  return exitCode === 0;
}

// Both sides of every other write: between two writes there is one state.
test.each(["before", "after"] as const)(
  "a kill %s any write asks no agent twice and records no decision twice",
  async (fault) => {
    const stride = strideOf(2);
    const ends: boolean[] = [];
    while (!ends.includes(true)) {
      const next = nextPoints(ends.length, AT_ONCE, stride);
      ends.push(...(await Promise.all(next.map((at) => failAt(at, fault)))));
    }
    expect(ends.indexOf(true) * stride).toBeGreaterThan(12);
  },
  240_000,
);
