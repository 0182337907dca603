/**
 * `gate(name, prompt?, options?)`: asks whether the run may go on. An agent decides, or, with
 * `manual`, a person at the command line. The verdict is the answer of a recorded call: a resumed
 * run takes it from there, a rejection too.
 */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, type Json, type JsonObject, parseJson } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import { optional } from "../../lib/optional.ts";
import type { GateVerdict } from "../run/types.ts";
import { agentCall } from "./agent.ts";
import { agentRequest } from "./agent-request.ts";
import type { BegunCall, CallSite, PreparedCall, WorkResult } from "./call.ts";
import type { CallSetting, Execution } from "./execution.ts";
import { GATE_OPTIONS } from "./option-specs.ts";
import { type Options, readOptions } from "./options.ts";
import { runnerPlan } from "./runner-plan.ts";

type GateOptions = Options<typeof GATE_OPTIONS>;

/** What an agent that decides a gate must answer. */
const GATE_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string" },
    evidence: { type: "array", items: { type: "string" } },
  },
  required: ["approved", "reason"],
};

const NAME_LENGTH = 200;
const DEFAULT_REQUEST = "Decide whether the workflow may go on.";

/** @throws PalliumError when the call is refused. */
export async function prepareGate(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  const name = gateName(args[0]);
  const [request, given] =
    args.length === 2 && isRecord(args[1]) ? [undefined, args[1]] : [args[1], args[2]];
  const options = readOptions("gate", GATE_OPTIONS, given);
  const message = requestText(request);
  const call =
    options.manual === true
      ? manualGate(setting, site, name, message, options)
      : await agentGate(setting, site, name, message, options);
  const failOnDeny = options.fail_on_deny ?? true;
  return { ...call, value: (output) => gateValue(name, output, failOnDeny) };
}

function gateName(value: Json | undefined): string {
  const name = typeof value === "string" ? value.trim() : "";
  if (name === "") {
    throw new PalliumError("gate_name_required", "gate name is required", {
      hints: ['name the gate first: gate("release", "Is this safe to release?")'],
    });
  }
  if (name !== oneLine(name, NAME_LENGTH)) {
    throw new PalliumError(
      "bad_option",
      `gate name must be one line of at most ${NAME_LENGTH} characters`,
      { hints: ["the name comes first, what is asked second: gate(name, prompt, options)"] },
    );
  }
  return name;
}

function requestText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.trim();
  throw new PalliumError("bad_option", "gate prompt must be text; use JSON.stringify for data", {
    hints: ["the prompt is the second argument, options are the third"],
  });
}

async function agentGate(
  setting: CallSetting,
  site: CallSite,
  name: string,
  message: string,
  { criteria = "", fail_on_deny: _, manual: __, label, ...options }: GateOptions,
): Promise<PreparedCall> {
  if (options.mode === "edit") {
    throw new PalliumError("bad_option", 'invalid gate mode "edit": a gate changes nothing', {
      hints: ['leave `mode` out for read-only, or use "test" to let it run things'],
    });
  }
  const request = await agentRequest(setting, [
    gatePrompt(name, message || DEFAULT_REQUEST, criteria),
    optional({ ...options, label: label || `gate-${name}`, schema: GATE_SCHEMA }) as JsonObject,
  ]);
  const call = agentCall(setting, site, { ...request, primitive: "gate" });
  return { ...call, plan: { ...call.plan, gate: { name, message, manual: false, verdict } } };
}

function gatePrompt(name: string, request: string, criteria: string): string {
  return [
    "You are the gate of an automated workflow. You decide whether it may go on; you change nothing.",
    `Gate: ${JSON.stringify(name)}`,
    `Request: ${request}`,
    ...(criteria === "" ? [] : [`Criteria for approval: ${criteria}`]),
    "Look at the evidence yourself. Approve only what meets the request and all criteria; deny when unsure.",
    "Answer with approved, the reason in a sentence or two, and the evidence you looked at.",
  ].join("\n\n");
}

function manualGate(
  setting: CallSetting,
  site: CallSite,
  name: string,
  request: string,
  { criteria = "", label, provider, model, mode, timeout_seconds }: GateOptions,
): Omit<PreparedCall, "value"> {
  if (provider || model || mode || timeout_seconds !== undefined) {
    setting.notice(
      `gate ${name}: provider, model, mode and timeout have no effect where a person decides`,
    );
  }
  const message = [request, ...(criteria === "" ? [] : [`Criteria: ${criteria}`])]
    .join("\n")
    .trim();
  const plan = runnerPlan(setting, {
    primitive: "gate",
    prompt: JSON.stringify([name, message]),
    shown: message || DEFAULT_REQUEST,
    label: label || `gate-${name}`,
    mode: "manual",
    kind: "gate",
    gate: { name, message, manual: true, verdict },
    work: (execution, begun) => waitForPerson(execution, name, message, begun),
  });
  return { site, plan };
}

async function waitForPerson(
  { runId, task, gates, drain, notify, signal, warn }: Execution,
  name: string,
  message: string,
  { callId }: BegunCall,
): Promise<WorkResult> {
  warn(`gate ${name} waits for a decision${message === "" ? "" : `: ${oneLine(message)}`}`);
  for (const command of gates.commands(name)) warn(`decide it: ${command}`);
  void notify({ event: "gate", run: { id: runId, task }, gate: name, message });
  const output = await drain.waiting(() => gates.verdict(callId, signal));
  if (output !== undefined) return { ok: true, output };
  return { ok: false, outcome: "cancelled", message: "the run ended before the gate was decided" };
}

function verdict(output: string): GateVerdict {
  const answer = parseJson(output);
  if (!isRecord(answer)) return { approved: false, reason: "" };
  const { approved, reason } = answer;
  return { approved: approved === true, reason: typeof reason === "string" ? reason : "" };
}

/** @throws PalliumError `gate_rejected`, which parallel and pipeline do not make a dropped item of. */
function gateValue(name: string, output: string, failOnDeny: boolean): Json {
  const answer = parseJson(output) ?? null;
  const { approved, reason } = verdict(output);
  if (approved || !failOnDeny) return { approved, reason, gate: name, verdict: answer };
  const by = isRecord(answer) && answer.manual === true ? "" : " by agent";
  throw new PalliumError(
    "gate_rejected",
    `workflow gate "${name}" rejected${by}${reason === "" ? "" : `: ${reason}`}`,
    {
      fatal: true,
      hints: [
        `have it asked again by the next resume: pallium workflow gate reopen <run-id> ${JSON.stringify(name)}`,
      ],
    },
  );
}
