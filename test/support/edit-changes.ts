/** Processes that change a checkout at the same time, or with faults. */
import { testProgram } from "./built-program.ts";
import { withFileLimit } from "./child.ts";
import type { ChildWork } from "./edit-apply-child.ts";

export interface ChildEnd {
  /** Absent where it was killed. */
  readonly printed?: {
    readonly end: { readonly code?: string; readonly outcome?: string };
    /** What each step was. */
    readonly steps: readonly string[];
  };
}

/** @param limit on the size of files, in blocks of 512 bytes. */
export async function runChange(work: ChildWork, limit?: number): Promise<ChildEnd> {
  const command = [...testProgram("edit-apply-child", JSON.stringify(work))];
  await using child = Bun.spawn(limit === undefined ? command : withFileLimit(limit, command), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return { printed: JSON.parse(stdout) };
  if (child.signalCode !== "SIGKILL") throw new Error(`the child failed: ${stderr}`);
  return {};
}
