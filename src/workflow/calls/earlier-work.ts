/** What earlier executions of a run left of a call: the answer on record, or work that goes on. */
import { visibleName } from "../../lib/visible-name.ts";
import type { CallIdentity } from "../run/identity.ts";
import type { OpenCall, SettledCall } from "../run/replay.ts";
import type { BegunCall, CallPlan, CallSite } from "./call.ts";
import { callLeftBehind, endCalls } from "./child.ts";
import type { Execution } from "./execution.ts";
import { nameOfCall } from "./settle.ts";
import { seenByLeft } from "./workspace.ts";

/** The record that answers for a call, its edit made again; `undefined` where the work is to be done. */
export async function answerOnRecord(
  execution: Execution,
  plan: CallPlan,
  identity: CallIdentity,
): Promise<SettledCall | undefined> {
  const record = await takeSettled(execution, identity);
  if (record === undefined) return undefined;
  return (await isReplayed(execution, plan, record)) ? record : undefined;
}

/** A record may have to wait for the others that its answer builds on. */
async function takeSettled(
  execution: Execution,
  identity: CallIdentity,
): Promise<SettledCall | undefined> {
  const { settled, lull } = execution;
  const isTrue = ({ seen }: SettledCall) => isStillTrue(execution, seen);
  if (settled.has(identity) && !settled.has(identity, isTrue)) {
    await lull.until(() => settled.has(identity, isTrue));
  }
  return settled.take(identity, isTrue);
}

/** An edit that does not go together with what others do otherwise now is to be made again. */
async function isReplayed(
  { edits, notice }: Execution,
  plan: CallPlan,
  { callId }: SettledCall,
): Promise<boolean> {
  const conflicts = await edits.replay(callId);
  if (conflicts.length === 0) return true;
  const paths = conflicts.map(visibleName).join(", ");
  const who = nameOfCall(plan, callId);
  notice(`${who} is asked again: its edit does not go together with others in: ${paths}`);
  return false;
}

/** Goes on with what an earlier runner began; `undefined` where there is none, or where it is of no use. */
export async function takeOver(
  execution: Execution,
  site: CallSite,
  plan: CallPlan,
  open: OpenCall | undefined,
): Promise<BegunCall | undefined> {
  if (open === undefined) return undefined;
  const isLeft = await callLeftBehind(execution, open.callId);
  if (!isLeft || !(await sawWhatIsMade(execution, open.callId))) {
    await endCalls(execution, [open]);
    await execution.edits.discard(open.callId, plan.repo);
    return undefined;
  }
  await execution.journal.adopted(open.callId, site.phase);
  return {
    callId: open.callId,
    identity: open.identity,
    provider: open.provider,
    reservation: plan.kind === "agent" ? execution.budget.reopen(open.costMicros) : undefined,
    startedAt: open.startedAt,
  };
}

/** Whether the edits that the worker of a call sees, which an earlier runner started, are made here too. */
async function sawWhatIsMade(execution: Execution, callId: string): Promise<boolean> {
  const { lull } = execution;
  const seen = await seenByLeft(execution, callId);
  const isTrue = () => isStillTrue(execution, seen);
  if (isTrue()) return true;
  lull.enter();
  await lull.until(isTrue);
  lull.leave();
  return isTrue();
}

/** A script that changed may no longer make the edits that a worker saw; then its answer is of no use. */
function isStillTrue({ scriptChanged, edits }: Execution, seen: readonly string[]): boolean {
  return !scriptChanged || seen.every((callId) => edits.isMerged(callId));
}
