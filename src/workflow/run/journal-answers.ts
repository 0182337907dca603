/** Answers the calls of a script from the journal of its run, as far as that goes. */
import { join } from "node:path";
import { sha256 } from "../../lib/hash.ts";
import type { Json } from "../../lib/json.ts";
import { createLooks } from "../../platform/process/looks.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { CallPlan } from "../calls/call.ts";
import { callLeftBehind } from "../calls/child.ts";
import type { CallSetting } from "../calls/execution.ts";
import { prepareCall } from "../calls/primitives.ts";
import type { CallMessage } from "../engine/protocol.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { CallTraits } from "./call-records.ts";
import { type CallIdentity, createOccurrences, fingerprint } from "./identity.ts";
import { createRecorded } from "./replay.ts";
import { argsHash } from "./request.ts";
import { readOpenCalls, readSettledCalls } from "./resume-state.ts";

/** A call that the script made, and the record that answers for it. */
export interface MadeCall {
  /** Counts the calls of the script. */
  readonly order: number;
  readonly identity: CallIdentity;
  readonly traits: CallTraits;
  readonly prompt: string;
  readonly result: "hit" | "adopt" | "miss";
  readonly callId?: string;
}

/** Looks calls up as an execution does, and answers those that settled. */
export function answerFromJournal(
  { runsDirectory }: WorkflowPowers,
  database: Database,
  runId: string,
  setting: CallSetting,
  onCall: (call: MadeCall) => void,
): (message: CallMessage) => Promise<Json | undefined> {
  const run = { runId, directory: join(runsDirectory, runId), looks: createLooks() };
  const settled = createRecorded(readSettledCalls(database, runId));
  const open = createRecorded(readOpenCalls(database, runId));
  const occurrence = createOccurrences();
  const args = argsHash(setting.args);
  return async (message) => {
    const { site, plan, value } = await prepareCall(setting, message);
    const print = fingerprint(plan.content);
    const identity = {
      scope: site.scope,
      fingerprint: print,
      occurrence: occurrence(site.scope, print),
    };
    const call = {
      order: message.id,
      identity,
      traits: traitsOf(plan, args),
      prompt: plan.prompt,
    };
    const finished = settled.take(identity);
    if (finished !== undefined) {
      onCall({ ...call, result: "hit", callId: finished.callId });
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
}

function traitsOf(
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
