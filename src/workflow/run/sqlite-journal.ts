/** The journal over SQLite: each method is one set of records, committed in groups under the lease. */
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { Journal } from "./journal.ts";
import {
  type Counters,
  type RecordContext,
  recordAdopted,
  recordDropped,
  recordEditsBegun,
  recordEditsStaged,
  recordEnded,
  recordNested,
  recordPhase,
  recordReplayed,
  recordRunning,
  recordSettled,
  recordStarted,
} from "./journal-records.ts";
import { holdLease, type Lease } from "./lease.ts";

export interface JournalOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly scriptHash: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told of every failed write, so that the run can end: a store error is never a call's outcome. */
  readonly onFailure: (error: unknown) => void;
}

export function createSqliteJournal(options: JournalOptions): Journal {
  const { database, lease, clock, ids, scriptHash } = options;
  let counters = readCounters(database, lease.runId);
  const commit = createGroupCommit<RecordContext>({
    database,
    begin: (tx) => {
      holdLease(tx, lease, clock);
      return { tx, lease, scriptHash, ids, counters: { ...counters }, now: clock.iso() };
    },
    committed: (context) => {
      counters = context.counters;
    },
    failed: options.onFailure,
  });
  return {
    started: (call) => commit((context) => recordStarted(context, call)),
    settled: (end) => commit((context) => recordSettled(context, end)),
    adopted: (callId, phase) => commit((context) => recordAdopted(context, callId, phase)),
    replayed: (callId, phase) => commit((context) => recordReplayed(context, callId, phase)),
    dropped: (failure) => commit((context) => recordDropped(context, failure)),
    editsStaged: (staged) => commit((context) => recordEditsStaged(context, staged)),
    editsBegun: (base) => commit((context) => recordEditsBegun(context, base)),
    nested: (start) => commit((context) => recordNested(context, start)),
    phase: (name, active) => commit((context) => recordPhase(context, name, active)),
    running: () => commit(recordRunning),
    ended: (end) => commit((context) => recordEnded(context, end)),
    heartbeat: () => commit(() => {}),
  };
}

export function readCounters(reader: Reader, runId: string): Counters {
  const max = (sql: string) => reader.get<{ n: number | null }>(sql, runId)?.n ?? 0;
  return {
    seq: max("SELECT max(seq) AS n FROM workflow_events WHERE run_id = ?"),
    callIndex: max("SELECT max(call_index) AS n FROM workflow_calls WHERE run_id = ?"),
    failures: max("SELECT max(ordinal) AS n FROM workflow_failures WHERE run_id = ?"),
  };
}
