/**
 * `check(command, options)`: runs the command itself; its truth is the exit code. Only where a
 * provider is named, or the stub stands in for all, does an agent run it.
 */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { canonicalJson, type Json, type JsonObject } from "../../lib/json.ts";
import { ensurePrivateDir, readTail } from "../../platform/files.ts";
import type { ProcessEnd } from "../../platform/process/supervisor.ts";
import { normaliseSchema } from "../../providers/schema-normalise.ts";
import { NATIVE_PROVIDER } from "../run/types.ts";
import { runAgent } from "./agent.ts";
import { checkResult } from "./check-result.ts";
import { callDirectory, callLeftBehind, callMarker, remainingMs, runChild } from "./child.ts";
import type { Execution } from "./execution.ts";
import { type OptionSpec, readOptions } from "./options.ts";
import { type CallSite, perform, type WorkResult } from "./perform.ts";
import { scriptValue } from "./value.ts";

const CHECK_OPTIONS = {
  label: "text",
  provider: "text",
  model: "text",
  schema: "schema",
  timeout_seconds: "seconds",
} as const satisfies OptionSpec;

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

export async function callCheck(
  execution: Execution,
  site: CallSite,
  args: readonly Json[],
): Promise<Json> {
  const options = readOptions("check", CHECK_OPTIONS, args[1]);
  const command = commandText(args[0]);
  const label = options.label || `check: ${command}`;
  const timeoutSeconds = options.timeout_seconds ?? execution.timeoutSeconds;
  const provider = options.provider === "default" ? "" : options.provider;
  if (provider || execution.providers.stubbed) {
    return checkByAgent(execution, site, { ...options, command, label, timeoutSeconds });
  }
  if (options.schema !== undefined || options.model) {
    execution.notice(`${label}: schema and model have no effect on a check that is run directly`);
  }
  const output = await perform(execution, site, {
    content: {
      primitive: "check",
      prompt: command,
      label,
      provider: "",
      model: "",
      mode: "test",
      isolation: "",
      repo: execution.cwd,
      schema: null,
      args: execution.args,
      network: false,
    },
    label,
    prompt: command,
    provider: NATIVE_PROVIDER,
    repo: execution.cwd,
    schemaHash: "",
    agent: false,
    leftBehind: (callId) => callLeftBehind(execution, callId),
    work: (callId, startedAt) =>
      runCommand(execution, { command, timeoutSeconds }, callId, startedAt),
  });
  return scriptValue(output, true);
}

function commandText(value: Json | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new PalliumError("command_required", "check command is required");
}

interface AgentCheck {
  readonly command: string;
  readonly label: string;
  readonly provider?: string;
  readonly model?: string;
  readonly schema?: JsonObject;
  readonly timeoutSeconds: number;
}

function checkByAgent(execution: Execution, site: CallSite, check: AgentCheck): Promise<Json> {
  if (!execution.providers.stubbed) {
    throw new PalliumError(
      "not_in_this_version",
      "a check by a provider is not in this version; leave out `provider` and the command is run directly",
    );
  }
  const schema = normaliseSchema(check.schema ?? CHECK_SCHEMA);
  return runAgent(execution, site, {
    primitive: "check",
    prompt: checkPrompt(check.command),
    label: check.label,
    provider: check.provider ?? "",
    repo: execution.cwd,
    mode: "test",
    model: check.model ?? "",
    schema,
    schemaHash: sha256(canonicalJson(schema)),
    timeoutSeconds: check.timeoutSeconds,
    phase: "",
  });
}

function checkPrompt(command: string): string {
  return [
    "Run one verification command and report what really happened.",
    `The command, as a JSON string: ${JSON.stringify(command)}`,
    "Run it exactly once, from the current directory. Change no source file, and do not try to repair anything.",
    "`ok` is true only if the command ended with exit status 0. Give the end of its output, and one failure per failing test or error.",
  ].join("\n");
}

async function runCommand(
  execution: Execution,
  { command, timeoutSeconds }: { readonly command: string; readonly timeoutSeconds: number },
  callId: string,
  startedAt: Date | undefined,
): Promise<WorkResult> {
  const dir = callDirectory(execution, callId);
  const deadlineMs = remainingMs(execution, timeoutSeconds, startedAt);
  const stdoutFile = join(dir, "stdout");
  const stderrFile = join(dir, "stderr");
  const end = await runChild(
    {
      argv: ["/bin/sh", "-c", command],
      cwd: execution.cwd,
      env: execution.workerEnvironment,
      dir,
      stdinFile: null,
      stdoutFile,
      stderrFile,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      outputLimit: execution.outputLimitBytes,
      graceMs: GRACE_MS,
      hurry: execution.isUrgent,
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
