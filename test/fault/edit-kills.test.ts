/** A runner that fails at one of its writes after the other while its agents edit: no work and no file is lost. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { editHome } from "../support/edit-runs.ts";
import { nextPoints, strideOf } from "../support/fault-points.ts";
import { failingAt } from "../support/killed-commands.ts";
import { startRun } from "../support/runner.ts";
import { provider } from "../support/workflow.ts";

const AT_ONCE = 2;
const STRIDE = strideOf(2);

const SOURCE = `await agent("one", { label: "edit", mode: "edit" });
  const { verdict } = await verify.untilGreen("sh check.sh");
  return [verdict, await agent("two", { label: "look", mode: "test" })];`;
const WORKER = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"
  case "$PALLIUM_WORKFLOW_LABEL" in
    edit) echo two >> a.txt; echo done;;
    look) cat a.txt value;;
    *) echo good > value; echo '{"summary":"s"}';;
  esac`;
const ENVIRONMENT = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WORKER) };
const FILES = {
  "a.txt": "one\n",
  "sub/b.txt": "b\n",
  value: "bad\n",
  "check.sh": "grep -q good value\n",
};

/** @returns whether the runner came to the end of its run. */
async function failAt(at: number, fault: "before" | "full"): Promise<boolean> {
  await using edits = await editHome(FILES);
  const program = failingAt(at, fault);
  const flags = ["--cwd", edits.repo.path];
  await using runner = await startRun(edits.home, SOURCE, ENVIRONMENT, flags, program);
  const exitCode = await runner.exited;
  const { result } = await edits.script(SOURCE, {}, { env: ENVIRONMENT });
  const ledger = await readFile(join(edits.home.directory, "ledger"), "utf8");
  const worktrees = (await edits.repo.git("worktree", "list")).trimEnd().split("\n");
  expect({
    at,
    result,
    ledger: ledger.trim().split("\n"),
    status: await edits.status(),
    worktrees: worktrees.length,
  }).toEqual({
    at,
    result: ["green", "one\ntwo\ngood"],
    ledger: ["edit", "until-green-fix-1", "look"],
    status: " M a.txt\n M value",
    worktrees: 1,
  });
  return exitCode === 0;
}

test.each(["before", "full"] as const)(
  "a fault %s writes all along: each agent is asked once, and the checkout has all edits and all its files",
  async (fault) => {
    const ends: boolean[] = [];
    while (!ends.includes(true)) {
      const next = nextPoints(ends.length, AT_ONCE, STRIDE);
      ends.push(...(await Promise.all(next.map((at) => failAt(at, fault)))));
    }
    expect(ends.indexOf(true) * STRIDE).toBeGreaterThan(12);
  },
  300_000,
);
