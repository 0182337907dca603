/** `pallium.verify` in scripts that are stopped, paused or killed: nothing of it is left. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileAppears } from "../support/files.ts";
import { NEUTRAL_GIT, type RepoRuns, repoRuns } from "../support/repo-runs.ts";
import { isGone, startRun } from "../support/runner.ts";

/** Ends at once where it may, with 9 while the one before it still runs. */
const CALM =
  'if test -e "$HOME/calm"; then old=$(cat "$HOME/ready"); kill -0 "$old" 2>/dev/null && ! grep -q "^State:.Z" "/proc/$old/status" && exit 9; exit 0; fi';
/** A command that says where it is and goes on until it is ended; a child of it leaves its group. */
const LASTING = `${CALM}; setsid sleep 600 & echo "$!" > "$HOME/stray"; echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"; sleep 600`;
const VERIFY_LASTING = `return await pallium.verify("fast", { command: ${JSON.stringify(LASTING)} });`;

describe("a verification at work", () => {
  async function begun(at: RepoRuns) {
    const runner = await startRun(at.home, VERIFY_LASTING, NEUTRAL_GIT, ["--cwd", at.repo.path]);
    await fileAppears(join(at.home.directory, "ready"));
    return runner;
  }
  const areGone = async ({ home }: RepoRuns) => [
    await isGone(home, "ready"),
    await isGone(home, "stray"),
  ];

  test.each(["stop", "pause"] as const)("is ended whole by %s", async (verb) => {
    await using at = await repoRuns();
    const runner = await begun(at);
    expect(await areGone(at)).toEqual([false, false]);
    const ended = await at.home.json<object>(["workflow", verb, "wf-test"]);
    expect(ended).toMatchObject({ status: verb === "stop" ? "stopped" : "paused" });
    await runner.exited;
    expect(await areGone(at)).toEqual([true, true]);
    const events = await at.home.pallium(["workflow", "events", "wf-test", "--json"]);
    const outcomes = events.stdout.match(/"outcome":"\w+"/g);
    expect(outcomes).toEqual(['"outcome":"cancelled"']);
  });

  test("is ended whole by a signal to its runner", async () => {
    await using at = await repoRuns();
    const runner = await begun(at);
    runner.kill("SIGTERM");
    expect(await runner.exited).toBe(143);
    expect(await areGone(at)).toEqual([true, true]);
  });

  test("is ended and begun anew when its runner was killed", async () => {
    await using at = await repoRuns();
    const runner = await begun(at);
    runner.kill("SIGKILL");
    await runner.exited;
    expect(await areGone(at)).toEqual([false, false]);
    await writeFile(join(at.home.directory, "calm"), "");
    expect((await at.script(VERIFY_LASTING)).result).toMatchObject({ exit_code: 0 });
    expect(await areGone(at)).toEqual([true, true]);
  });
});
