/** Puts the end of a call on record, its edit merged with the others, and gives its answer out. */

import { PalliumError } from "../../lib/errors.ts";
import { oneLine } from "../../lib/one-line.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { conversationNames } from "../../providers/conversation.ts";
import type { EditConflict } from "../edits/repo-edits.ts";
import { othersPatch, writePatch } from "../edits/trees/patch.ts";
import type { CallEnd } from "../run/journal.ts";
import type { BegunCall, CallPlan, CallSite, WorkResult } from "./call.ts";
import { callDirectory } from "./child.ts";
import type { CapturedEdit } from "./edit-work.ts";
import type { Execution } from "./execution.ts";
import type { Charge } from "./spending.ts";

interface Ending {
  readonly execution: Execution;
  readonly site: CallSite;
  readonly plan: CallPlan;
  readonly call: BegunCall;
  readonly charge: Charge;
}

type FailedWork = WorkResult & { readonly ok: false };

/** How a call is called in lines for people. */
export function nameOfCall({ label }: CallPlan, callId: string): string {
  return oneLine(label) || callId;
}

/**
 * @returns the answer; `undefined` where the provider's quota turned out to be used up.
 * @throws PalliumError `agent_<outcome>`, or that of the failure, when the call failed.
 */
export async function settle(ending: Ending, result: WorkResult): Promise<string | undefined> {
  const { edit } = result;
  if (edit === undefined) {
    await record(ending, result);
    await result.onRecord?.();
    return answer(ending, result);
  }
  const settled = await edit.repo.stage(ending.call.callId, edit.capture, async (merge) => {
    if (!("conflicts" in merge)) {
      await record(ending, result, merge);
      return result;
    }
    const conflict = await conflictOf(ending, result, edit, merge);
    await record(ending, conflict);
    return conflict;
  });
  await settled.onRecord?.();
  return answer(ending, settled);
}

/** What a worker did is kept, and what the others did, for somebody to bring together. */
async function conflictOf(
  { execution, call }: Ending,
  result: WorkResult,
  edit: CapturedEdit,
  { conflicts, ours }: EditConflict,
): Promise<FailedWork> {
  const others = othersPatch(edit.patch.path);
  await writePatch(edit.repo.store, others, edit.capture.from, ours);
  const { ok: _ok, ...traces } = result;
  const paths = conflicts.map(visibleName).join(", ");
  execution.detail(`${call.callId} does not go together with what is staged: ${paths}`);
  return {
    ...traces,
    ok: false,
    outcome: "failed",
    code: "edit_conflict",
    message: `apply staged edits: other agents changed the same lines of ${paths}; this agent's edits are in ${edit.patch.path}, those of the others in ${others}`,
    edit: { ...edit, receipt: { ...edit.receipt, conflicts } },
  };
}

async function record(
  ending: Ending,
  result: WorkResult,
  merged?: CallEnd["merged"],
): Promise<void> {
  const { execution, site, plan, call, charge } = ending;
  const base = {
    callId: call.callId,
    identity: call.identity,
    ...charge,
    inputTokens: result.inputTokens ?? 0,
    outputTokens: result.outputTokens ?? 0,
    attempts: result.attempts ?? 1,
    ...(result.usageJson === undefined ? {} : { usage: result.usageJson }),
    ...(result.output === undefined ? {} : { output: result.output }),
    ...tracesOf(result),
    ...(merged === undefined ? {} : { merged }),
  };
  if (result.ok) {
    const gate = plan.gate === undefined ? {} : { gate: plan.gate.verdict(result.output) };
    await execution.journal.settled({ ...base, ...gate, status: "completed", outcome: "ok" });
    execution.finished.add(call.identity, plan.label, { outcome: "ok", text: result.output });
    return;
  }
  const { outcome, message } = result;
  const goesOn = endsWithRun(result) || outcome === "quota";
  if (!endsWithRun(result)) noticeFailure(ending, result);
  await execution.journal.settled({
    ...base,
    status: failedStatus(execution, result, merged),
    outcome,
    error: message,
    ...(goesOn
      ? {}
      : { failure: { label: plan.label || "agent", phase: site.phase, error: message } }),
  });
  if (!goesOn) execution.finished.add(call.identity, plan.label, { outcome, text: message });
}

function tracesOf(result: WorkResult): Partial<CallEnd> {
  const { seen, worktree, edit, kept, session, conversations = [] } = result;
  const [own] = conversationNames([session]);
  const others = conversations.filter(
    ({ provider, id }) => provider !== own?.provider || id !== own.id,
  );
  return {
    ...(others.length === 0 ? {} : { otherSessions: others }),
    ...(kept === undefined ? {} : { kept }),
    ...(session === undefined ? {} : { session }),
    ...(seen === undefined || seen.length === 0 ? {} : { seen }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(edit === undefined ? {} : { receipt: edit.receipt }),
  };
}

/** Whether a call was cut short because the run was. */
function endsWithRun({ outcome, stopped }: FailedWork): boolean {
  return outcome === "cancelled" && stopped !== true;
}

/** An edit that was merged stays, whatever its worker's answer was worth. */
function failedStatus(
  execution: Execution,
  result: FailedWork,
  merged: CallEnd["merged"],
): CallEnd["status"] {
  const { outcome, stopped } = result;
  if (endsWithRun(result)) return execution.interruptedStatus();
  if (stopped === true) return "stopped";
  if (outcome === "quota") return "paused";
  return merged === undefined ? "failed" : "completed";
}

function noticeFailure({ execution, plan, call }: Ending, { outcome, message }: FailedWork): void {
  const [firstLine = ""] = message.split("\n");
  const whose = `${nameOfCall(plan, call.callId)} ${outcome}: `;
  execution.notice(firstLine.startsWith(whose) ? firstLine : `${whose}${firstLine}`);
}

function answer({ execution, call }: Ending, result: WorkResult): string | undefined {
  if (result.ok) return result.output;
  if (result.outcome === "quota") {
    execution.agents.started -= 1;
    execution.breaker.open(call.provider, result.message);
    return undefined;
  }
  const code = result.code ?? `agent_${result.outcome}`;
  const error = new PalliumError(code, result.message, {
    fatal: endsWithRun(result) || result.fatal === true,
    hints: [`what it was asked and what it printed is in ${callDirectory(execution, call.callId)}`],
  });
  execution.recordedErrors.add(error);
  throw error;
}
