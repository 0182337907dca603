/** `workflow stop --agent`: ends one agent or check of a run that goes on. */
import { PalliumError } from "../../lib/errors.ts";
import { sleep } from "../../platform/sleep.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { WorkflowPowers } from "../powers.ts";
import { requestCallStop } from "./control.ts";
import { leaseHolder } from "./lease.ts";
import { requireRun } from "./store.ts";
import type { AgentStatus, RunStatus } from "./types.ts";

/** How long a runner may take to end a worker: its grace and some time to write. */
const PATIENCE_MS = 30_000;
const POLL_MS = 10;

export interface StoppedCall {
  readonly id: string;
  readonly status: RunStatus;
  /** The agent had ended by itself. */
  readonly unchanged: boolean;
  /** Id of the agent. */
  readonly agent: string;
  readonly agent_status: AgentStatus;
}

interface CallAtWork {
  readonly id: string;
  readonly label: string;
}

/**
 * Returns once the agent has ended.
 * @param agent its id, or its label where no other at work has the same.
 * @throws PalliumError `run_not_found`, `run_not_at_work`, `agent_not_found`, `agent_ambiguous`,
 * `runner_busy`
 */
export async function stopCall(
  { clock }: Pick<WorkflowPowers, "clock">,
  database: Database,
  id: string,
  agent: string,
): Promise<StoppedCall> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  const call = await database.write((tx) => {
    const { status } = requireRun(tx, id);
    if (leaseHolder(tx, id, clock) === undefined) {
      throw new PalliumError("run_not_at_work", `nobody executes run ${id}: it is ${status}`, {
        hints: [`see its agents: pallium workflow show ${id}`],
      });
    }
    const found = callAtWork(callsAtWork(tx, id), id, agent);
    requestCallStop(tx, id, found.id, clock);
    return found;
  });
  for (;;) {
    const status = statusOf(database, call.id);
    if (status !== "running" || leaseHolder(database, id, clock) === undefined) {
      const run = requireRun(database, id).status;
      const unchanged = status !== "stopped";
      return { id, status: run, unchanged, agent: call.id, agent_status: status };
    }
    if (clock.monotonicMs() > deadline) {
      throw new PalliumError(
        "runner_busy",
        `agent ${call.id} was to be ended and has not ended within ${PATIENCE_MS / 1000} s`,
        { hints: [`look again: pallium workflow show ${id}`] },
      );
    }
    await sleep(POLL_MS);
  }
}

function callsAtWork(reader: Pick<Database, "all">, runId: string): CallAtWork[] {
  return reader.all<CallAtWork>(
    `SELECT id, coalesce(label, '') AS label FROM workflow_calls
     WHERE run_id = ? AND status = 'running' AND superseded = 0 ORDER BY created_at`,
    runId,
  );
}

function statusOf(reader: Pick<Database, "get">, callId: string): AgentStatus {
  const sql = "SELECT status FROM workflow_calls WHERE id = ?";
  return reader.get<{ status: AgentStatus }>(sql, callId)?.status ?? "interrupted";
}

function callAtWork(calls: readonly CallAtWork[], runId: string, agent: string): CallAtWork {
  const byId = calls.find(({ id }) => id === agent);
  if (byId !== undefined) return byId;
  const [first, ...others] = calls.filter(({ label }) => label === agent);
  if (first === undefined) {
    const names = calls.map(({ id, label }) => label || id);
    throw new PalliumError("agent_not_found", `no agent "${agent}" is at work in run ${runId}`, {
      hints: [names.length === 0 ? "none is at work" : `at work: ${names.join(", ")}`],
    });
  }
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id);
  throw new PalliumError("agent_ambiguous", `several agents "${agent}" are at work`, {
    hints: [`name one by its id: ${ids.join(", ")}`],
  });
}
