/**
 * The life of one recorded call: identity, look-up, slot, `started` or the take-over of a
 * call that an earlier runner started, the work itself, `settled`. A value leaves here only once its
 * record is durable.
 */
import { errorData, PalliumError } from "../../lib/errors.ts";
import type { Reservation } from "../run/budget.ts";
import { type CallIdentity, fingerprint } from "../run/identity.ts";
import type { StartedCall } from "../run/journal.ts";
import type { Slot } from "../run/slots.ts";
import type { BegunCall, CallPlan, CallSite, WorkResult } from "./call.ts";
import { answerOnRecord, takeOver } from "./earlier-work.ts";
import type { Execution } from "./execution.ts";
import { nameOfCall, settle } from "./settle.ts";
import { chargeOf } from "./spending.ts";

/**
 * @returns the worker's answer as text.
 * @throws PalliumError `agent_<outcome>` when the call failed (recorded); a fatal one when a cap, the
 * budget, an interrupt or the store forbids it (not recorded as a call).
 */
export async function perform(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
): Promise<string> {
  const print = fingerprint(plan.content);
  const identity: CallIdentity = {
    scope: site.scope,
    fingerprint: print,
    occurrence: execution.occurrence(site.scope, print),
  };
  const finished = await answerOnRecord(execution, plan, identity);
  if (finished !== undefined) {
    await execution.edits.discard(finished.callId, plan.repo);
    plan.replayed?.(finished);
    if (plan.kind === "agent") execution.agentIds.add(finished.callId);
    await execution.journal.replayed(finished.callId, site.phase);
    execution.finished.add(identity, plan.label, { outcome: "ok", text: finished.output });
    return finished.output;
  }
  execution.lull.leave();
  try {
    return await doWork(execution, site, plan, identity);
  } finally {
    execution.lull.enter();
  }
}

/** Does the work of a call that no record answers for. */
async function doWork(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
  identity: CallIdentity,
): Promise<string> {
  let waitedFor = 0;
  // What an earlier runner began is not held back: its time runs.
  const isBegun = () => execution.open.has(identity);
  for (;;) {
    if (!isBegun()) await execution.drain.pass(execution.signal);
    const provider = execution.breaker.choose(plan.providers);
    const isFree = plan.kind !== "agent" && plan.kind !== "check";
    const slots = isFree ? execution.freeSlots : execution.slots;
    const slot = await slots.acquire(provider);
    let ahead: Promise<number> | undefined;
    try {
      execution.signal.throwIfAborted();
      assertOpen(execution);
      if (execution.breaker.isOpen(provider)) continue;
      if (!isBegun()) {
        if (execution.drain.requested) continue;
        ahead = execution.coolDowns.ahead(provider, waitedFor);
      }
      if (ahead === undefined) {
        const work = () => attempt(execution, site, plan, identity, slot);
        const output = await (plan.gate?.manual === true ? work() : execution.drain.working(work));
        if (output !== undefined) return output;
      }
    } finally {
      slot.release();
    }
    if (ahead !== undefined) waitedFor = await ahead;
  }
}

/** @returns `undefined` where the provider's quota turned out to be used up. */
async function attempt(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
  identity: CallIdentity,
  slot: Slot,
): Promise<string | undefined> {
  const open = execution.open.take(identity);
  const call =
    (await takeOver(execution, site, plan, open)) ??
    (await begin(execution, site, plan, open?.identity ?? identity, slot.provider));
  const begun = performance.now();
  execution.detail(`${nameOfCall(plan, call.callId)} started (${call.provider})`);
  const result = await execution.callStops.during(call.callId, (stopped) =>
    workUntilStopped(execution, plan, call, slot, stopped),
  );
  if (result.ok) {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    execution.detail(`${nameOfCall(plan, call.callId)} ok in ${seconds} s`);
  }
  const outcome = result.ok ? "ok" : result.outcome;
  const charge =
    plan.kind === "agent"
      ? chargeOf(outcome, result, execution.budget.estimateMicros)
      : { costMicros: 0 };
  call.reservation?.settle(charge.costMicros);
  execution.tokens.add((result.inputTokens ?? 0) + (result.outputTokens ?? 0));
  if (plan.kind === "agent") execution.agentIds.add(call.callId);
  return settle({ execution, site, plan, call, charge }, result);
}

async function begin(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
  identity: CallIdentity,
  provider: string,
): Promise<BegunCall> {
  const reservation = plan.kind === "agent" ? admit(execution) : undefined;
  const callId = execution.ids.next(plan.kind);
  try {
    await execution.journal.started(startedCall(execution, site, plan, identity, callId, provider));
  } catch (error) {
    reservation?.cancel();
    throw error;
  }
  return { callId, identity, provider, reservation };
}

function assertOpen({ admission }: Execution): void {
  if (admission.open) return;
  throw new PalliumError("script_over", "the script ended before this call could start", {
    fatal: true,
    hints: ["await every call that the script makes before it returns"],
  });
}

/** A call that is stopped alone fails, where one that ends with the run is left for the next execution. */
async function workUntilStopped(
  execution: Execution,
  plan: CallPlan,
  call: BegunCall,
  slot: Slot,
  stopped: AbortSignal,
): Promise<WorkResult> {
  const signal = AbortSignal.any([execution.signal, stopped]);
  const result = await workOrFailure({ ...execution, signal }, plan, call, slot);
  const isStopped = stopped.aborted && !execution.signal.aborted;
  if (!isStopped || result.ok || result.outcome !== "cancelled") return result;
  const { code, message } = errorData(stopped.reason);
  return { ...result, code, message, stopped: true };
}

/** What keeps the work from being done at all (no such provider, a bad schema) is the call's failure. */
async function workOrFailure(
  execution: Execution,
  plan: CallPlan,
  call: BegunCall,
  slot: Slot,
): Promise<WorkResult> {
  if (execution.signal.aborted) {
    return { ok: false, outcome: "cancelled", message: "the run was interrupted", costMicros: 0 };
  }
  try {
    return await plan.work(execution, call, slot);
  } catch (error) {
    const { code, message } = errorData(error);
    const fatal = error instanceof PalliumError && error.fatal;
    return { ok: false, outcome: "failed", code, message, fatal, costMicros: 0 };
  }
}

/** Counts one more agent against the cap and the budget. */
function admit(execution: Execution): Reservation {
  if (execution.agents.started >= execution.maxAgents) {
    throw new PalliumError("max_agents", `workflow exceeded max agents: ${execution.maxAgents}`, {
      fatal: true,
      hints: ["resume the run with a larger --max-agents"],
    });
  }
  execution.tokens.assertLeft();
  const reservation = execution.budget.reserve();
  execution.agents.started += 1;
  return reservation;
}

function startedCall(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
  identity: CallIdentity,
  callId: string,
  provider: string,
): StartedCall {
  return {
    callId,
    identity,
    primitive: plan.content.primitive,
    phase: site.phase,
    label: plan.label,
    prompt: plan.prompt,
    provider,
    requestedProvider: plan.content.provider,
    repo: plan.repo,
    mode: plan.content.mode,
    isolation: plan.content.isolation,
    model: plan.content.model,
    schemaHash: plan.schemaHash,
    argsHash: execution.argsHash,
    networked: plan.content.network,
    costMicros: plan.kind === "agent" ? execution.budget.estimateMicros : 0,
    ...(plan.gate === undefined ? {} : { gate: plan.gate }),
  };
}
