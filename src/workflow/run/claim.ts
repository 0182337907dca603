/** Takes a run for execution: its lease, its row, and the room in the fleet, in one transaction. */
import { PalliumError } from "../../lib/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import type { WorkflowPowers } from "../powers.ts";
import { applyGateControls, type DecidedCall } from "./apply-gates.ts";
import { assertNotCollected } from "./collected.ts";
import { clearControls } from "./control.ts";
import { storeArtifact } from "./journal-records.ts";
import { acquireLease, type Lease, leaseHolder, leaseLost } from "./lease.ts";
import { keptLimits, RUN_DEFAULTS, type RunLimits } from "./limits.ts";
import { assertNotFromGo } from "./origin.ts";
import { assertNotRemoved } from "./removals.ts";
import type { PlannedRun } from "./request.ts";
import { type RunRow, requireRun } from "./store.ts";

export interface ClaimedRun {
  readonly lease: Lease;
  readonly row: RunRow;
  /** Whether an earlier execution ran another script. */
  readonly scriptChanged: boolean;
  /** Gates that a person decided: nobody waits for these calls any more. */
  readonly decidedCalls: readonly DecidedCall[];
}

/** @throws PalliumError `run_owned`, `run_collected`, `fleet_limit` or `lease_lost` */
export function claimRun(
  database: Database,
  powers: WorkflowPowers,
  plan: PlannedRun,
  scriptPath: string,
): Promise<ClaimedRun> {
  return database.write((tx) => {
    const lease = acquireLease(tx, plan.id, powers.clock);
    const before = tx.get<RunRow>("SELECT * FROM workflow_runs WHERE id = ?", plan.id);
    assertNotRemoved(tx, plan.id);
    if (before !== undefined) {
      assertNotCollected(before, "executed again");
      assertNotFromGo(before, "executed again");
    }
    if (plan.leftAt !== undefined && before?.updated_at !== plan.leftAt) throw leaseLost(plan.id);
    assertRoom(tx, plan, powers.clock);
    clearControls(tx, plan.id);
    writeRow(tx, plan, scriptPath, powers.clock.iso(), before);
    const row = requireRun(tx, plan.id);
    const decidedCalls = applyGateControls(tx, {
      lease,
      scriptHash: row.script_hash,
      ids: powers.ids,
      now: powers.clock.iso(),
    });
    return { lease, row, scriptChanged: row.script_changed === 1, decidedCalls };
  });
}

/** A run that somebody executes counts; a paused or dead one does not, and never the run itself. */
function assertRoom(tx: Transaction, plan: PlannedRun, clock: Clock): void {
  if (plan.maxActiveRuns <= 0) return;
  const count = tx
    .all<{ id: string }>(
      "SELECT id FROM workflow_runs WHERE status IN ('queued', 'running') AND id <> ?",
      plan.id,
    )
    .filter(({ id }) => leaseHolder(tx, id, clock) !== undefined).length;
  if (count < plan.maxActiveRuns) return;
  throw new PalliumError(
    "fleet_limit",
    `workflow fleet limit reached: ${count} active runs (max ${plan.maxActiveRuns})`,
    { hints: ["wait for one to end, or see them: pallium workflow list"] },
  );
}

function writeRow(
  tx: Transaction,
  plan: PlannedRun,
  scriptPath: string,
  now: string,
  before: RunRow | undefined,
): void {
  const limits = storedLimits(limitsOfPlan(plan, before), before);
  const fields = {
    id: plan.id,
    task: plan.task,
    cwd: plan.cwd,
    script_name: plan.script.name,
    script_path: scriptPath,
    script_artifact: storeArtifact(tx, plan.script.text),
    script_hash: before?.script_hash ?? plan.script.hash,
    script_changed: before !== undefined && before.script_hash !== plan.script.hash ? 1 : 0,
    args_json: plan.argsJson,
    loop_name: plan.loopName,
    record_folder: plan.record ?? null,
    replay_folder: plan.replay ?? null,
    owned_session_id: plan.ownedSession ?? null,
    ...limits,
    strict: plan.strict ? 1 : 0,
    status: "queued",
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  const names = Object.keys(fields);
  tx.run(
    `INSERT INTO workflow_runs (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")},
       result = NULL, error = NULL, error_code = NULL, resume_after = NULL, completed_at = NULL`,
    ...Object.values(fields),
  );
}

/** Settings speak for what a new run was not told; a known one has its limits already. */
function limitsOfPlan({ limits, settings }: PlannedRun, before: RunRow | undefined): RunLimits {
  return before === undefined ? { ...settings.limits, ...limits } : limits;
}

/** Limits last for the life of a run: what this invocation does not say keeps what is stored. */
function storedLimits(limits: RunLimits, before: RunRow | undefined) {
  const maxAgents = positive(limits.max_agents);
  const timeoutGiven = limits.agent_timeout !== undefined;
  return {
    codex_binary: limits.codex ?? before?.codex_binary ?? "codex",
    max_agents: maxAgents ?? before?.max_agents ?? RUN_DEFAULTS.max_agents,
    max_agents_explicit: maxAgents !== undefined ? 1 : (before?.max_agents_explicit ?? 0),
    max_concurrent_agents:
      positive(limits.max_concurrent_agents) ??
      before?.max_concurrent_agents ??
      RUN_DEFAULTS.max_concurrent_agents,
    max_budget_usd: limits.max_budget_usd ?? before?.max_budget_usd ?? null,
    max_tokens: limits.max_tokens ?? before?.max_tokens ?? null,
    retries: limits.retries ?? before?.retries ?? RUN_DEFAULTS.retries,
    provider_concurrency: limits.provider_concurrency ?? before?.provider_concurrency ?? null,
    fallback: limits.fallback ?? before?.fallback ?? null,
    agent_timeout_seconds:
      limits.agent_timeout ?? before?.agent_timeout_seconds ?? RUN_DEFAULTS.agent_timeout,
    limits_json: keptLimits(limits, before?.limits_json),
    notify: limits.notify ?? before?.notify ?? null,
    agent_timeout_explicit: timeoutGiven ? 1 : (before?.agent_timeout_explicit ?? 0),
    allow_network: limits.allow_network === true ? 1 : 0,
    links: limits.links ?? before?.links ?? null,
    include_dirty: (limits.include_dirty ?? before?.include_dirty === 1) ? 1 : 0,
  };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
