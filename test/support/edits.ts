/** Tools for tests of edits: ledgers of a repository, and processes that hold its locks. */
import { resolve } from "node:path";
import { openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import type { TestRepository } from "./repository.ts";

export const CHILD = resolve(import.meta.dir, "edits-child.ts");

/** The git directory of a test's repository. */
export function commonDirOf(repository: TestRepository): string {
  return repository.join(".git");
}

export function ledgerOf(repository: TestRepository): ReturnType<typeof openLedger> {
  return openLedger(commonDirOf(repository));
}

export interface LockChild extends AsyncDisposable {
  /** The next line that it prints. */
  line(): Promise<string>;
  /** Lets it go on. */
  go(): void;
  kill(): Promise<void>;
}

/** A process of its own that waits for `go`, takes a lock, and holds it until the next `go`. */
export function lockChild(action: "lock" | "mutex", commonDir: string, runId: string): LockChild {
  const child = Bun.spawn([process.execPath, CHILD, action, commonDir, runId], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return {
    async line() {
      while (!pending.includes("\n")) {
        const { value, done } = await lines.read();
        if (done) throw new Error(`the child ended: ${pending}`);
        pending += value;
      }
      const end = pending.indexOf("\n");
      const line = pending.slice(0, end);
      pending = pending.slice(end + 1);
      return line;
    },
    go() {
      child.stdin.write("go\n");
      child.stdin.flush();
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
