/** Reads the arguments of `agent(prompt, options)` into one complete request. */
import { isAbsolute, resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { canonicalJson, type Json, type JsonObject } from "../../lib/json.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { isDirectory, realPath } from "../../platform/files.ts";
import { normaliseSchema } from "../../providers/schema-normalise.ts";
import type { CallSetting } from "./execution.ts";
import { type OptionSpec, type Options, readOptions } from "./options.ts";

const AGENT_OPTIONS = {
  label: "text",
  provider: "text",
  repo: "text",
  mode: "text",
  isolation: "text",
  schema: "schema",
  model: "text",
  timeout_seconds: "seconds",
  network: "boolean",
  phase: "text",
  agent_type: "text",
  effort: "text",
} as const satisfies OptionSpec;

const MODES = ["read-only", "test", "check", "edit"];

export interface AgentRequest {
  readonly primitive: string;
  readonly prompt: string;
  readonly label: string;
  /** As asked for; empty for the default. */
  readonly provider: string;
  readonly repo: string;
  readonly mode: string;
  readonly model: string;
  readonly schema?: JsonObject;
  readonly schemaHash: string;
  readonly timeoutSeconds: number;
  /** Phase the script put this one call under; empty for that of its scope. */
  readonly phase: string;
}

/** @throws PalliumError `bad_option`, `prompt_required`, `repo_not_found` or `not_in_this_version` */
export async function agentRequest(
  setting: CallSetting,
  args: readonly Json[],
): Promise<AgentRequest> {
  const options = readOptions("agent", AGENT_OPTIONS, args[1]);
  const mode = options.mode || "read-only";
  assertMode(mode);
  if (options.isolation !== undefined && !["", "worktree"].includes(options.isolation)) {
    throw new PalliumError("bad_option", `invalid agent isolation "${options.isolation}"`, {
      hints: ["leave `isolation` out: agents read the folder as it is"],
    });
  }
  refuseLaterFeatures(setting, mode, options);
  noticeIgnored(setting, options);
  const schema = options.schema === undefined ? undefined : normaliseSchema(options.schema);
  return {
    primitive: "agent",
    prompt: promptText(args[0]),
    label: options.label ?? "",
    provider: options.provider ?? "",
    repo: await repoPath(setting, options.repo),
    mode,
    model: options.model ?? "",
    ...(schema === undefined ? {} : { schema }),
    schemaHash: schema === undefined ? "" : sha256(canonicalJson(schema)),
    timeoutSeconds: options.timeout_seconds ?? setting.timeoutSeconds,
    phase: options.phase ?? "",
  };
}

function promptText(value: Json | undefined): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string" && value.trim() !== "") return value;
  if (value === undefined || value === null || typeof value === "string") {
    throw new PalliumError("prompt_required", "agent prompt is required", {
      hints: ['say what the agent is to do, as the first argument: agent("...")'],
    });
  }
  throw new PalliumError("bad_option", "agent prompt must be text; use JSON.stringify for data", {
    hints: ["the prompt is the first argument, options are the second: agent(prompt, options)"],
  });
}

function assertMode(mode: string): void {
  if (MODES.includes(mode)) return;
  const near = nearMatch(mode, MODES);
  throw new PalliumError(
    "bad_option",
    `unknown agent mode "${mode}"; known modes: ${MODES.join(", ")}${near ? `; did you mean "${near}"?` : ""}`,
    { hints: [`use ${near ?? "read-only"}, or leave \`mode\` out for read-only`] },
  );
}

/** No agent of this version can write to the live checkout: what would need a worktree is refused. */
function refuseLaterFeatures(
  setting: CallSetting,
  mode: string,
  options: Options<typeof AGENT_OPTIONS>,
): void {
  const refused =
    mode === "edit"
      ? 'agent mode "edit"'
      : options.isolation === "worktree"
        ? 'agent isolation "worktree"'
        : options.network === true && setting.allowNetwork
          ? "an agent with granted network"
          : mode !== "read-only" && !setting.providers.stubbed
            ? `agent mode "${mode}" on a real provider`
            : undefined;
  if (refused !== undefined) {
    throw new PalliumError("not_in_this_version", `${refused} is not in this version`, {
      hints: ["see what scripts can call: pallium workflow tools list"],
    });
  }
  if (options.network === true) {
    const name = options.label ? `agent ${options.label}` : "agent";
    setting.notice(
      `${name} requested network but run was not started with --allow-network; running sandboxed`,
    );
  }
}

/** Options of other tools' scripts that no provider here understands are accepted, never silently. */
function noticeIgnored(setting: CallSetting, options: Options<typeof AGENT_OPTIONS>): void {
  for (const [name, value] of [
    ["agentType", options.agent_type],
    ["effort", options.effort],
  ]) {
    if (value) setting.notice(`agent option ${name} has no effect here`);
  }
}

async function repoPath(setting: CallSetting, repo: string | undefined): Promise<string> {
  if (repo === undefined || repo === "") return setting.cwd;
  const path = isAbsolute(repo) ? repo : resolve(setting.cwd, repo);
  if (!(await isDirectory(path))) {
    throw new PalliumError("repo_not_found", `agent repo is not a directory: ${path}`, {
      hints: ["name a folder that exists; a relative path begins at the run's --cwd"],
    });
  }
  return realPath(path);
}
