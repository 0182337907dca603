/**
 * `check(command, options)`: runs the command itself; its truth is the exit code. Only where a
 * provider is named, or the stub stands in for all, does an agent run it.
 */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../../lib/json.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { readTail } from "../../platform/bounded-read.ts";
import { ensurePrivateDir } from "../../platform/files.ts";
import { sha256 } from "../../platform/hash.ts";
import type { ProcessEnd } from "../../platform/process/supervisor.ts";
import { normaliseSchema } from "../../providers/schema-normalise.ts";
import { agentCall } from "./agent.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { BegunCall, CallSite, PreparedCall, WorkResult } from "./call.ts";
import { checkResult } from "./check-result.ts";
import { callDirectory, callMarker, remainingMs, runChild } from "./child.ts";
import type { CallSetting, Execution } from "./execution.ts";
import { CHECK_OPTIONS } from "./option-specs.ts";
import { readOptions } from "./options.ts";
import { runnerPlan } from "./runner-plan.ts";
import { scriptValue } from "./value.ts";
import { OWN_PLACE, type Placement } from "./workspace.ts";

/** What an agent that runs a check must answer. */
const CHECK_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    command: { type: "string" },
    summary: { type: "string" },
    output_tail: { type: "string" },
    failures: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          message: { type: "string" },
          file: { type: "string" },
        },
        required: ["name", "message"],
      },
    },
  },
  required: ["ok", "command", "summary", "output_tail", "failures"],
};

/** Bytes of each output stream that are read for failures; a longer output keeps its end. */
const READ_LIMIT = 4 * 1024 * 1024;
const GRACE_MS = 2000;
/** What a command that is run directly may do to files: nothing that is kept. */
const PLACE = { mode: "test", isolation: "", includeIgnored: [], network: false } as const;

/** @throws PalliumError when the call is refused. */
export async function prepareCheck(
  setting: CallSetting,
  site: CallSite,
  args: readonly Json[],
): Promise<PreparedCall> {
  const options = readOptions("check", CHECK_OPTIONS, args[1]);
  const command = commandText(args[0]);
  const label = options.label || `check: ${command}`;
  const timeoutSeconds = options.timeout_seconds ?? setting.timeoutSeconds;
  return checkCall(setting, site, { ...options, command, label, timeoutSeconds });
}

/** The same for a check that another primitive makes. */
export function checkCall(
  setting: CallSetting,
  site: CallSite,
  check: AgentCheck,
  placement: Placement = OWN_PLACE,
): PreparedCall {
  const provider = check.provider === "default" ? "" : check.provider;
  if (provider || setting.providers.stubbed) return checkByAgent(setting, site, check, placement);
  if (check.schema !== undefined || check.model) {
    const { label } = check;
    setting.notice(`${label}: schema and model have no effect on a check that is run directly`);
  }
  return {
    site,
    plan: runnerPlan(setting, {
      primitive: "check",
      prompt: check.command,
      label: check.label,
      mode: "test",
      kind: "check",
      work: (execution, call) => checkWork(execution, check, call, placement),
    }),
    value: (output) => scriptValue(output, true),
  };
}

interface NativeCheck {
  readonly command: string;
  readonly label: string;
  readonly timeoutSeconds: number;
}

function commandText(value: Json | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new PalliumError("command_required", "check command is required", {
    hints: ['name the command to run, such as check("npm test")'],
  });
}

export interface AgentCheck extends NativeCheck {
  readonly provider?: string;
  readonly model?: string;
  readonly schema?: JsonObject;
}

function checkByAgent(
  setting: CallSetting,
  site: CallSite,
  check: AgentCheck,
  placement: Placement,
): PreparedCall {
  const schema = normaliseSchema(check.schema ?? CHECK_SCHEMA);
  const request: AgentRequest = {
    primitive: "check",
    prompt: checkPrompt(check.command),
    label: check.label,
    provider: check.provider ?? "",
    repo: setting.cwd,
    mode: "test",
    isolation: "",
    includeIgnored: [],
    network: false,
    effort: "",
    model: check.model ?? "",
    schema,
    schemaHash: sha256(canonicalJson(schema)),
    timeoutSeconds: check.timeoutSeconds,
    phase: "",
  };
  return agentCall(setting, site, request, placement);
}

function checkPrompt(command: string): string {
  return [
    "Run one verification command and report what really happened.",
    `The command, as a JSON string: ${JSON.stringify(command)}`,
    "Run it exactly once, from the current directory. Change no source file, and do not try to repair anything.",
    "`ok` is true only if the command ended with exit status 0. Give the end of its output, and one failure per failing test or error.",
  ].join("\n");
}

async function checkWork(
  execution: Execution,
  check: NativeCheck,
  call: BegunCall,
  placement: Placement,
): Promise<WorkResult> {
  const request = { ...PLACE, label: check.label, repo: execution.cwd };
  const place = await placement.open(execution, request, call);
  const result = await runCommand(execution, check, call, place.cwd);
  const changed = (await place.watch?.changed()) ?? [];
  if (changed.length > 0) {
    const files = changed.map(visibleName).join(", ");
    execution.warn(`${check.label} changed files of the checkout: ${files}`);
  }
  // The exit code of the command is its truth, whatever else it did.
  const { watch: _told, ...untold } = place;
  return placement.leave(execution, request, call.callId, untold, result);
}

async function runCommand(
  execution: Execution,
  { command, timeoutSeconds }: NativeCheck,
  { callId, startedAt }: BegunCall,
  cwd: string,
): Promise<WorkResult> {
  const dir = callDirectory(execution, callId);
  const deadlineMs = remainingMs(execution, timeoutSeconds, startedAt);
  const stdoutFile = join(dir, "stdout");
  const stderrFile = join(dir, "stderr");
  const end = await runChild(
    {
      argv: ["/bin/sh", "-c", command],
      cwd,
      env: execution.workerEnvironment,
      dir,
      stdinFile: null,
      stdoutFile,
      stderrFile,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      outputLimit: execution.outputLimitBytes,
      graceMs: GRACE_MS,
      hurry: execution.isUrgent,
      looks: execution.looks,
      marker: callMarker(execution.runId, callId),
    },
    execution.signal,
    { adopt: startedAt !== undefined, prepare: () => ensurePrivateDir(dir) },
  );
  if (end.cancelled) {
    return { ok: false, outcome: "cancelled", message: "the run was interrupted" };
  }
  const result = checkResult({
    command,
    exitCode: end.exitCode,
    stdout: await readTail(stdoutFile, READ_LIMIT),
    stderr: await readTail(stderrFile, READ_LIMIT),
    durationMs: end.durationMs,
    ...flags(end),
  });
  return { ok: true, output: JSON.stringify(result) };
}

function flags(end: ProcessEnd): { timedOut: boolean; outputLimited: boolean } {
  return { timedOut: end.timedOut, outputLimited: end.outputLimited };
}
