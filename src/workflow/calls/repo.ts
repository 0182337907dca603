/**
 * `pallium.*`: what repository memory knows. On record like every call, so that a script that is
 * run again sees what it saw; no agent, and without a slot or a cost. One whose runner died has no
 * directory that could be taken over: what runs of it is ended, and it is asked anew.
 */
import { errorData } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import { shellQuote } from "../../repo/verification/display.ts";
import type { RepoPrimitive } from "../engine/protocol.ts";
import type { BegunCall, CallSite, PreparedCall, WorkResult } from "./call.ts";
import { callMarker, endCalls } from "./child.ts";
import type { CallSetting, Execution } from "./execution.ts";
import type { RepoCall } from "./repo-calls.ts";
import { repoCall } from "./repo-request.ts";
import { runnerPlan } from "./runner-plan.ts";
import { scriptValue } from "./value.ts";

/** @throws PalliumError `bad_option`. */
export async function prepareRepoCall(
  primitive: RepoPrimitive,
  setting: CallSetting,
  site: CallSite,
  given: readonly Json[],
): Promise<PreparedCall> {
  const call = repoCall(primitive, given, setting.timeoutSeconds);
  const prompt = call.argv.map(shellQuote).join(" ");
  const label = `pallium ${prompt}`;
  return {
    site,
    plan: runnerPlan(setting, {
      primitive,
      prompt,
      label,
      mode: call.question.service === "verify" ? "test" : "read-only",
      kind: "repo",
      work: (execution, begun) => ask(execution, call, label, begun),
    }),
    value: (report) => scriptValue(report, true),
  };
}

async function ask(
  execution: Execution,
  call: RepoCall,
  label: string,
  { callId }: BegunCall,
): Promise<WorkResult> {
  const tell = { notice: execution.notice, detail: execution.detail, warn: execution.warn };
  try {
    const output = await execution.repo.ask(call, {
      marker: callMarker(execution.runId, callId),
      signal: execution.signal,
      tell: (kind, text) => tell[kind](`${oneLine(label)}: ${text}`),
    });
    return { ok: true, output };
  } catch (error) {
    const { code, message } = errorData(error);
    if (execution.signal.aborted) return { ok: false, outcome: "cancelled", message };
    return { ok: false, outcome: "failed", code, message: `${label} failed: ${message}` };
  } finally {
    // What left its process group goes by the name of the call.
    if (call.question.service === "verify") await endCalls(execution, [{ callId }]);
  }
}
