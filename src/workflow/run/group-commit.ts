/**
 * One queue of writes for one run. Everything asked for while a transaction is under way goes into
 * the next one: that is what keeps a thousand agents fast on a disk that is waited for.
 */
import type { Database, Transaction } from "../../platform/sqlite/database.ts";

interface Pending<Context> {
  readonly change: (context: Context) => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Resolves once the change is durable. */
export type Commit<Context> = (change: (context: Context) => void) => Promise<void>;

export interface GroupCommitOptions<Context> {
  readonly database: Database;
  /** Opens one attempt at a transaction, which may run more than once. */
  readonly begin: (tx: Transaction) => Context;
  /** Called with the attempt that became durable. */
  readonly committed: (context: Context) => void;
  /** Told of every failed transaction; its changes reject too. */
  readonly failed: (error: unknown) => void;
}

export function createGroupCommit<Context>(options: GroupCommitOptions<Context>): Commit<Context> {
  let pending: Pending<Context>[] = [];
  let flushing = false;

  async function flush(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        const context = await options.database.write((tx) => {
          const attempt = options.begin(tx);
          for (const { change } of batch) change(attempt);
          return attempt;
        });
        options.committed(context);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        options.failed(error);
        for (const { reject } of batch) reject(error);
      }
    }
    flushing = false;
  }

  return (change) =>
    new Promise((resolve, reject) => {
      pending.push({ change, resolve, reject });
      if (flushing) return;
      flushing = true;
      setImmediate(flush);
    });
}
