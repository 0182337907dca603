/**
 * The journal over SQLite. Everything that was asked for while the last transaction was under way
 * goes into the next one: that is what keeps a thousand agents fast with a synchronous disk.
 */
import { sha256 } from "../../lib/hash.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import { callKey } from "./identity.ts";
import type { CallEnd, Journal, RunEnd, StartedCall } from "./journal.ts";
import { holdLease, type Lease } from "./lease.ts";
import type { RunFailure } from "./types.ts";

interface Counters {
  seq: number;
  callIndex: number;
  failures: number;
}

/** One attempt at a transaction; it may run more than once, so it counts on a copy. */
interface Attempt {
  readonly tx: Transaction;
  readonly counters: Counters;
  readonly now: string;
}

type Change = (attempt: Attempt) => void;

interface Pending {
  readonly change: Change;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

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
  const { database, lease, clock } = options;
  const runId = lease.runId;
  let counters = readCounters(database, runId);
  let pending: Pending[] = [];
  let flushing = false;

  function commit(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      pending.push({ change, resolve, reject });
      if (!flushing) {
        flushing = true;
        setImmediate(flush);
      }
    });
  }

  async function flush(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        counters = await database.write((tx) => {
          holdLease(tx, lease, clock);
          const attempt = { tx, counters: { ...counters }, now: clock.iso() };
          for (const { change } of batch) change(attempt);
          return attempt.counters;
        });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        options.onFailure(error);
        for (const { reject } of batch) reject(error);
      }
    }
    flushing = false;
  }

  function event(attempt: Attempt, type: string, data: unknown): void {
    attempt.counters.seq += 1;
    attempt.tx.run(
      "INSERT INTO workflow_events (run_id, seq, type, data, fence, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      runId,
      attempt.counters.seq,
      type,
      JSON.stringify(data),
      lease.fence,
      attempt.now,
    );
  }

  function touchPhase(attempt: Attempt, name: string, calls: number): void {
    attempt.tx.run(
      `INSERT INTO workflow_phases (id, run_id, name, status, agent_count, created_at, updated_at)
       VALUES (?, ?, ?, 'running', ?, ?, ?)
       ON CONFLICT (run_id, name) DO UPDATE SET agent_count = agent_count + excluded.agent_count,
         status = 'running', completed_at = NULL, updated_at = excluded.updated_at`,
      options.ids.next("phase"),
      runId,
      name,
      calls,
      attempt.now,
      attempt.now,
    );
  }

  function addFailure(attempt: Attempt, failure: RunFailure): void {
    attempt.counters.failures += 1;
    attempt.tx.run(
      "INSERT INTO workflow_failures (run_id, ordinal, label, phase, error) VALUES (?, ?, ?, ?, ?)",
      runId,
      attempt.counters.failures,
      failure.label ?? "",
      failure.phase ?? "",
      failure.error,
    );
  }

  return {
    started: (call) =>
      commit((attempt) => {
        attempt.counters.callIndex += 1;
        insertCall(attempt, runId, options.scriptHash, call);
        if (call.phase !== "") touchPhase(attempt, call.phase, 1);
        const { prompt, ...data } = call;
        event(attempt, "started", {
          ...data,
          key: callKey(call.identity),
          call_index: attempt.counters.callIndex,
          prompt: sha256(prompt),
        });
      }),
    settled: (end) =>
      commit((attempt) => {
        updateCall(attempt, end);
        if (end.failure !== undefined) addFailure(attempt, end.failure);
        const { output, failure: _listed, ...data } = end;
        event(attempt, "settled", {
          ...data,
          key: callKey(end.identity),
          ...(output === undefined ? {} : { output: sha256(output) }),
        });
      }),
    replayed: (callId, phase) =>
      commit((attempt) => {
        if (phase !== "") touchPhase(attempt, phase, 1);
        event(attempt, "replayed", { callId, phase });
      }),
    dropped: (failure) =>
      commit((attempt) => {
        addFailure(attempt, failure);
        event(attempt, "dropped", failure);
      }),
    phase: (name, active) =>
      commit((attempt) => {
        if (active) touchPhase(attempt, name, 0);
        else closePhases(attempt, runId, name);
        event(attempt, "phase", { name, active });
      }),
    running: () =>
      commit((attempt) => {
        resetRun(attempt, runId);
        attempt.counters.failures = 0;
        event(attempt, "run", { status: "running" });
      }),
    ended: (end) =>
      commit((attempt) => {
        closePhases(attempt, runId);
        endRun(attempt, runId, end);
        event(
          attempt,
          "run",
          end.result === undefined ? end : { ...end, result: store(attempt.tx, end.result) },
        );
      }),
    heartbeat: () => commit(() => {}),
  };
}

function readCounters(database: Database, runId: string): Counters {
  const max = (sql: string) => database.get<{ n: number | null }>(sql, runId)?.n ?? 0;
  return {
    seq: max("SELECT max(seq) AS n FROM workflow_events WHERE run_id = ?"),
    callIndex: max("SELECT max(call_index) AS n FROM workflow_calls WHERE run_id = ?"),
    failures: max("SELECT max(ordinal) AS n FROM workflow_failures WHERE run_id = ?"),
  };
}

/** Puts a text into the content-addressed artifacts. */
function store(tx: Transaction, body: string): string {
  const hash = sha256(body);
  tx.run("INSERT OR IGNORE INTO workflow_artifacts (hash, body) VALUES (?, ?)", hash, body);
  return hash;
}

function insertCall(attempt: Attempt, runId: string, scriptHash: string, call: StartedCall): void {
  attempt.tx.run(
    `INSERT INTO workflow_calls (id, run_id, call_index, call_key, primitive, phase, label, prompt_artifact,
       provider, repo, mode, model, schema_hash, script_hash, args_hash, networked, cost_micros, status,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)`,
    call.callId,
    runId,
    attempt.counters.callIndex,
    callKey(call.identity),
    call.primitive,
    call.phase,
    call.label,
    store(attempt.tx, call.prompt),
    call.provider,
    call.repo,
    call.mode,
    call.model,
    call.schemaHash,
    scriptHash,
    call.argsHash,
    call.networked ? 1 : 0,
    call.costMicros,
    attempt.now,
    attempt.now,
  );
}

function updateCall(attempt: Attempt, end: CallEnd): void {
  attempt.tx.run(
    `UPDATE workflow_calls SET status = ?, outcome = ?, output_artifact = ?, error = ?, usage_json = ?,
       cost_micros = ?, updated_at = ?, completed_at = ? WHERE id = ?`,
    end.status,
    end.outcome,
    end.output === undefined ? null : store(attempt.tx, end.output),
    end.error ?? null,
    end.usage ?? null,
    end.costMicros,
    attempt.now,
    attempt.now,
    end.callId,
  );
}

function closePhases(attempt: Attempt, runId: string, name?: string): void {
  const only = name === undefined ? "" : " AND name = ?";
  attempt.tx.run(
    `UPDATE workflow_phases SET status = 'completed', updated_at = ?, completed_at = ?
     WHERE run_id = ? AND status = 'running'${only}`,
    attempt.now,
    attempt.now,
    runId,
    ...(name === undefined ? [] : [name]),
  );
}

/** Clears what the last execution left: its result, failures, phase counts and calls without an end. */
function resetRun({ tx, now }: Attempt, runId: string): void {
  tx.run(
    `UPDATE workflow_runs SET status = 'running', result = NULL, error = NULL, error_code = NULL,
       completed_at = NULL, updated_at = ? WHERE id = ?`,
    now,
    runId,
  );
  tx.run("DELETE FROM workflow_failures WHERE run_id = ?", runId);
  tx.run("UPDATE workflow_phases SET agent_count = 0 WHERE run_id = ?", runId);
  tx.run(
    `UPDATE workflow_calls SET status = 'interrupted', updated_at = ? WHERE run_id = ? AND status = 'running'`,
    now,
    runId,
  );
}

function endRun(attempt: Attempt, runId: string, end: RunEnd): void {
  attempt.tx.run(
    `UPDATE workflow_runs SET status = ?, result = ?, error = ?, error_code = ?, updated_at = ?,
       completed_at = ? WHERE id = ?`,
    end.status,
    end.result ?? null,
    end.error ?? null,
    end.errorCode ?? null,
    attempt.now,
    end.status === "paused" || end.status === "interrupted" ? null : attempt.now,
    runId,
  );
}
