/** Commands that are killed on the way, or kill themselves at one of their writes. */
import { testProgram } from "./built-program.ts";
import type { CliHome } from "./cli.ts";
import type { EditHome } from "./edit-runs.ts";
import type { Fault } from "./faulty-runner.ts";

/** A pallium that fails at one of its writes. @param at number of the write, from 1. */
export function failingAt(at: number, fault: Fault): readonly string[] {
  return testProgram("faulty-runner", JSON.stringify({ at, fault }));
}

/** Starts `workflow` with these arguments, in the home's directory; what it prints is nobody's. */
export function startWorkflowCommand(
  { directory, env }: Pick<CliHome, "directory" | "env">,
  program: readonly string[],
  ...args: readonly string[]
) {
  return Bun.spawn([...program, "workflow", ...args], {
    cwd: directory,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** Of two agents that edit one fails, so that its working tree stays. */
export const EDITED_AND_FAILED = {
  source: `await parallel(["good", "bad"], (provider) => agent("edit", { mode: "edit", provider }));`,
  agents: { good: "echo four >> a.txt; echo done", bad: "echo half > half.txt; exit 3" },
} as const;

/** How many working trees the repository has, its own included. */
export async function worktreeCount({ repo }: EditHome): Promise<number> {
  const listed = await repo.git("worktree", "list", "--porcelain");
  return listed.match(/^worktree .*/gm)?.length ?? 0;
}
