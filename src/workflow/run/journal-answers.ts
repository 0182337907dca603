/** Answers the calls of a script from the journal of its run, as far as that goes. */
import { join } from "node:path";
import type { Json } from "../../lib/json.ts";
import { sha256 } from "../../platform/hash.ts";
import { createLooks } from "../../platform/process/looks.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { CallPlan, PreparedCall } from "../calls/call.ts";
import { callLeftBehind } from "../calls/child.ts";
import type { CallSetting } from "../calls/execution.ts";
import { prepareCall } from "../calls/primitives.ts";
import { untilGreen } from "../calls/until-green.ts";
import type { WorkflowPowers } from "../powers.ts";
import { withGateControls } from "./apply-gates.ts";
import type { CallTraits } from "./call-records.ts";
import { type CallIdentity, createOccurrences, fingerprint } from "./identity.ts";
import { placed } from "./nested.ts";
import type { Answers } from "./plan-scripts.ts";
import { createRecorded } from "./replay.ts";
import { argsHash } from "./request.ts";
import { readOpenCalls, readSettledCalls } from "./resume-state.ts";

/** A call that the script made, and the record that answers for it. */
export interface MadeCall {
  /** Its number among the calls of the script, behind that of the workflow which the script is. */
  readonly order: readonly number[];
  readonly identity: CallIdentity;
  readonly traits: CallTraits;
  readonly prompt: string;
  readonly result: "hit" | "adopt" | "miss";
  readonly callId?: string;
}

/** Looks calls up as an execution does, and answers those that settled. */
export function createJournalAnswers(
  { runsDirectory }: WorkflowPowers,
  database: Database,
  runId: string,
  onCall: (call: MadeCall) => void,
): Answers {
  const run = { runId, directory: join(runsDirectory, runId), looks: createLooks() };
  const settled = createRecorded(
    withGateControls(database, runId, readSettledCalls(database, runId)),
  );
  const open = createRecorded(readOpenCalls(database, runId));
  const occurrence = createOccurrences();
  const lookUp = async (
    setting: CallSetting,
    order: readonly number[],
    { site, plan, value }: PreparedCall,
  ): Promise<Json | undefined> => {
    const print = fingerprint(plan.content);
    const identity = {
      scope: site.scope,
      fingerprint: print,
      occurrence: occurrence(site.scope, print),
    };
    const call = {
      order,
      identity,
      traits: traitsOf(plan, argsHash(setting.args)),
      prompt: plan.prompt,
    };
    const finished = settled.take(identity);
    if (finished !== undefined) {
      onCall({ ...call, result: "hit", callId: finished.callId });
      setting.finished.add(identity, plan.label, { outcome: "ok", text: finished.output });
      plan.replayed?.(finished);
      return value(finished.output);
    }
    const left = open.take(identity);
    if (left !== undefined && (await callLeftBehind(run, left.callId))) {
      onCall({ ...call, result: "adopt", callId: left.callId });
    } else {
      onCall({ ...call, result: "miss" });
    }
    return undefined;
  };
  return async ({ setting, place, order }, message) => {
    const call = placed(message, place);
    const at = [...order, message.id];
    if (message.primitive !== "verify.untilGreen") {
      return lookUp(setting, at, await prepareCall(setting, call));
    }
    let made = 0;
    return untilGreen(setting, call, (inner) => {
      made += 1;
      return lookUp(setting, [...at, made], inner);
    });
  };
}

/** What a call is compared by with one on record. */
export function traitsOf(
  { content, prompt, label, repo, schemaHash }: CallPlan,
  args: string,
): CallTraits {
  const { primitive, model, mode, provider, network } = content;
  return {
    primitive,
    prompt: sha256(prompt),
    label,
    model,
    schema: schemaHash,
    mode,
    provider,
    repo,
    args,
    network,
  };
}
