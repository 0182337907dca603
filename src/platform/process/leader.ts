import { processTable } from "./table.ts";

const POLL_MS = 20;

/** A process that leads a group of its own. */
export interface Leader {
  readonly pid: number;
  /** Resolves once it has ended. */
  readonly gone: Promise<unknown>;
}

export function hasEnded({ gone }: Leader): boolean {
  return Bun.peek.status(gone) !== "pending";
}

/** Watches one that is no child of ours, or not known as one, until `stop`; a zombie has ended. */
export function watchLeader(pid: number): Leader & { readonly stop: () => void } {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const begun = processTable.row(pid)?.startTime;
  const look = () => {
    const row = processTable.row(pid);
    if (row?.alive !== true || row.startTime !== begun) resolve();
  };
  const timer = setInterval(look, POLL_MS);
  look();
  return { pid, gone, stop: () => clearInterval(timer) };
}
