/** Reads the arguments of `agent(prompt, options)` into one complete request. */
import { isAbsolute, resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../../lib/json.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { isDirectory, realPath } from "../../platform/files.ts";
import { sha256 } from "../../platform/hash.ts";
import { normaliseSchema } from "../../providers/schema-normalise.ts";
import type { CallSetting } from "./execution.ts";
import { AGENT_MODES, AGENT_OPTIONS, ISOLATIONS } from "./option-specs.ts";
import { type Options, readOptions } from "./options.ts";

export interface AgentRequest {
  readonly primitive: string;
  readonly prompt: string;
  readonly label: string;
  /** As asked for; empty for the default. */
  readonly provider: string;
  readonly repo: string;
  readonly mode: string;
  /** `worktree` for an agent that works in a tree of its own whatever its mode; empty otherwise. */
  readonly isolation: string;
  /** Patterns of ignored files that count as its work. */
  readonly includeIgnored: readonly string[];
  /** Asked for and granted. */
  readonly network: boolean;
  readonly model: string;
  /** How hard the model is to think, in the provider's own words; empty for its default. */
  readonly effort: string;
  readonly schema?: JsonObject;
  readonly schemaHash: string;
  readonly timeoutSeconds: number;
  /** Phase the script put this one call under; empty for that of its scope. */
  readonly phase: string;
  /** The conversation to go on with, where the provider can; asked when the work begins. */
  readonly session?: () => string | undefined;
}

/** @throws PalliumError `bad_option`, `prompt_required`, `repo_not_found` or `not_in_this_version` */
export async function agentRequest(
  setting: CallSetting,
  args: readonly Json[],
): Promise<AgentRequest> {
  const options = readOptions("agent", AGENT_OPTIONS, args[1]);
  const mode = options.mode || "read-only";
  assertMode(mode);
  if (options.isolation && !ISOLATIONS.includes(options.isolation)) {
    throw new PalliumError("bad_option", `invalid agent isolation "${options.isolation}"`, {
      hints: ['use "worktree" for a working tree of its own, or leave `isolation` out'],
    });
  }
  if (options.agent_type) setting.notice("agent option agentType has no effect here");
  const schema = options.schema === undefined ? undefined : normaliseSchema(options.schema);
  return {
    primitive: "agent",
    prompt: promptText(args[0]),
    label: options.label ?? "",
    provider: options.provider ?? "",
    repo: await repoPath(setting, options.repo),
    mode,
    isolation: options.isolation ?? "",
    includeIgnored: options.include_ignored ?? [],
    network: grantedNetwork(setting, options),
    model: options.model ?? "",
    effort: options.effort ?? "",
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
  if (AGENT_MODES.includes(mode)) return;
  const near = nearMatch(mode, AGENT_MODES);
  throw new PalliumError(
    "bad_option",
    `unknown agent mode "${mode}"; known modes: ${AGENT_MODES.join(", ")}${near ? `; did you mean "${near}"?` : ""}`,
    { hints: [`use ${near ?? "read-only"}, or leave \`mode\` out for read-only`] },
  );
}

/** Network needs both: that the script asks for it, and that whoever started the run allows it. */
function grantedNetwork(
  { allowNetwork, notice }: CallSetting,
  { network, label }: Options<typeof AGENT_OPTIONS>,
): boolean {
  if (network !== true) return false;
  const name = label ? `agent ${label}` : "agent";
  notice(
    allowNetwork
      ? `${name} running with network access enabled`
      : `${name} requested network but run was not started with --allow-network; running sandboxed`,
  );
  return allowNetwork;
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
