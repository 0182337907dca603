/** Runs at work for what looks at them while they go on. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "./cli.ts";
import { startRun } from "./runner.ts";
import { provider, type WorkflowHome } from "./workflow.ts";

/** Says a line, then works until its home holds `go`. */
const WAITS = [
  'echo "$PALLIUM_WORKFLOW_LABEL works"',
  'while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 0.02; done',
  "printf done",
].join("; ");

export const WAITING_ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WAITS) };

/** Starts a run and waits until one of its agents is at work. */
export async function runAtWork(home: WorkflowHome, source: string) {
  const runner = await startRun(home, source, WAITING_ENV);
  for (;;) {
    const { stdout } = await home.pallium(["workflow", "logs", "wf-test"]);
    if (stdout.includes("works")) return runner;
  }
}

/** Has the agents go on to their end. */
export async function letGo(home: WorkflowHome): Promise<void> {
  await writeFile(join(home.directory, "go"), "");
}

/** Starts a command on the run, such as `watch`, and does not wait for it. */
export function spawnOn(home: WorkflowHome, verb: string, ...flags: readonly string[]) {
  return Bun.spawn([...PALLIUM, "workflow", verb, "wf-test", ...flags], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** What a command prints through a pipe to `head -n 1`, and its own exit status. */
export async function headOf(home: WorkflowHome, verb: string, ...flags: readonly string[]) {
  const line = [...PALLIUM, "workflow", verb, "wf-test", ...flags].join(" ");
  const piped = Bun.spawn(["bash", "-c", `${line} | head -n 1; echo "\${PIPESTATUS[0]}"`], {
    cwd: home.directory,
    env: home.env,
    stdout: "pipe",
  });
  return piped.stdout.text();
}
