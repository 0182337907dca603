/** From what the user typed to a complete run: every mistake is found before anything is written. */
import { basename, resolve } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { canonicalJson, isRecord, type Json, parseJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import { toJson } from "../../lib/to-json.ts";
import { assertId } from "../../lib/valid-id.ts";
import { isDirectory, readTextFile, realPath } from "../../platform/files.ts";
import { sha256 } from "../../platform/hash.ts";
import { defaultScript } from "../authoring/default-script.ts";
import { findSavedWorkflow } from "../authoring/saved.ts";
import { parseLinks } from "../edits/worktrees/linked-folders.ts";
import { MESSAGE_LIMIT } from "../engine/protocol.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { type PreparedScript, prepareScript } from "../script/prepare.ts";
import { type Settings, settingsFor } from "../settings/in-force.ts";
import { parseBudget } from "./budget.ts";
import { assertLimitFlags, type RunLimits } from "./limits.ts";
import { parseProviderConcurrency } from "./slots.ts";

export interface RunRequest extends RunLimits {
  readonly db?: string;
  readonly id?: string;
  readonly task?: string;
  readonly cwd?: string;
  /** Path of a script; exclusive with `workflow`. */
  readonly script?: string;
  /** Name of a saved workflow. */
  readonly workflow?: string;
  /** JSON text. */
  readonly args?: string;
  /** Refuse to start while this many runs are active; 0 for no limit. */
  readonly max_active_runs?: number;
  readonly loop_name?: string;
  /** Folder that what agents answer is recorded in; exclusive with `replay`. */
  readonly record?: string;
  /** Folder of recordings that answer in the place of agents. */
  readonly replay?: string;
}

export interface ScriptSource {
  readonly text: string;
  /** File name for error positions. */
  readonly name: string;
  readonly hash: string;
  readonly prepared: PreparedScript;
}

/** A run that can be written down and started. */
export interface PlannedRun {
  /** The store that was asked for by name. */
  readonly db?: string | undefined;
  readonly id: string;
  readonly task: string;
  /** Canonical. */
  readonly cwd: string;
  readonly script: ScriptSource;
  readonly strict: boolean;
  readonly args: Json;
  readonly argsJson: string | null;
  readonly limits: RunLimits;
  /** In force where it works. */
  readonly settings: Settings;
  readonly maxActiveRuns: number;
  readonly loopName: string | null;
  /** Absolute folders of recordings; at most one of them is there. */
  readonly record?: string;
  readonly replay?: string;
  /** What the process that executes it in the background is called. */
  readonly ownedSession?: string;
  /** When the row was last written; it is taken only while nobody has written it since. */
  readonly leftAt?: string;
}

export async function planRun(
  powers: WorkflowPowers,
  { warn }: Pick<RunObserver, "warn">,
  request: RunRequest,
): Promise<PlannedRun> {
  if (request.script !== undefined && request.workflow !== undefined) {
    throw usageError("use either --script or --workflow, not both");
  }
  assertDepth(powers.environment.variables, request.max_depth ?? 1);
  const id = request.id ?? powers.ids.next("wf");
  assertId(id);
  const args = parseArgs(request.args);
  assertLimits(request);
  const cwd = await workingDirectory(powers, request.cwd);
  const settings = await settingsFor(powers, cwd, warn);
  const { path, task } = await scriptAndTask(powers, request, cwd);
  const script =
    path === undefined
      ? await scriptSource(defaultScript(task), "default.workflow.js")
      : await readScript(path);
  return {
    db: request.db,
    id,
    task,
    cwd,
    script,
    strict: request.strict ?? (isStrictScript(script) || settings.limits.strict === true),
    args,
    argsJson: request.args ?? null,
    limits: request,
    settings,
    maxActiveRuns: activeRunLimit(powers.environment.variables, settings, request.max_active_runs),
    loopName: request.loop_name ?? null,
    ...(await recordingFolders(powers, request)),
  };
}

async function recordingFolders(
  { environment: { cwd } }: WorkflowPowers,
  { record, replay }: RunRequest,
): Promise<Pick<PlannedRun, "record" | "replay">> {
  if (record === "" || replay === "")
    throw usageError("--record and --replay need a folder", "such as: --record recordings");
  if (record !== undefined && replay !== undefined) {
    throw usageError("use either --record or --replay, not both", "leave one of them out");
  }
  if (replay !== undefined && !(await isDirectory(resolve(cwd, replay)))) {
    throw new PalliumError("recordings_not_found", `no recordings are at ${replay}`, {
      exitCode: 2,
      hints: [
        "name the folder that --record wrote; a relative one begins where pallium was started",
      ],
    });
  }
  return optional({
    record: record === undefined ? undefined : resolve(cwd, record),
    replay: replay === undefined ? undefined : resolve(cwd, replay),
  });
}

/** @throws PalliumError `usage` for limits that make no sense. */
export function assertLimits(limits: RunLimits): void {
  parseBudget(limits.max_budget_usd);
  assertLimitFlags(limits);
  parseProviderConcurrency(limits.provider_concurrency);
  parseLinks(limits.links);
  if ((limits.max_tokens ?? 0) < 0) throw usageError("--max-tokens must be 0 or more");
  if ((limits.retries ?? 0) < 0) throw usageError("--retries must be 0 or more");
  if ((limits.agent_timeout ?? 0) < 0) {
    throw usageError("--agent-timeout must be 0 or more seconds");
  }
  if ((limits.max_depth ?? 1) < 1) throw usageError("--max-depth must be 1 or more");
}

export async function readScript(path: string): Promise<ScriptSource> {
  return scriptSource(await readScriptText(path), basename(path));
}

/** @throws PalliumError `script_not_found` */
export async function readScriptText(path: string): Promise<string> {
  if (await isDirectory(path)) {
    throw new PalliumError("script_not_found", `workflow script is a directory: ${path}`, {
      hints: ["name the file of the script in it"],
    });
  }
  const text = await readTextFile(path);
  if (text === undefined) {
    throw new PalliumError("script_not_found", `workflow script not found: ${path}`, {
      hints: ["check the path; a relative one begins where pallium was started"],
    });
  }
  return text;
}

export async function scriptSource(text: string, name: string): Promise<ScriptSource> {
  return { text, name, hash: sha256(text), prepared: await prepareScript(text, name) };
}

function parseArgs(text: string | undefined): Json {
  if (text === undefined) return null;
  const value = parseJson(text);
  if (value !== undefined) {
    const checked = toJson(value, { name: "--args", limit: MESSAGE_LIMIT });
    if (checked.ok) return value;
    throw usageError(checked.message);
  }
  throw usageError(
    "--args is not JSON",
    `quote it for the shell, such as --args '{"topic":"auth"}'`,
  );
}

/** The folder that `--cwd` names, links resolved. @throws PalliumError `cwd_not_found` */
export async function workingDirectory(
  powers: Pick<WorkflowPowers, "environment">,
  cwd: string | undefined,
): Promise<string> {
  const path = resolve(powers.environment.cwd, cwd ?? ".");
  if (!(await isDirectory(path))) {
    throw new PalliumError("cwd_not_found", `not a directory: ${path}`, {
      exitCode: 2,
      hints: ["name a folder that exists with --cwd"],
    });
  }
  return realPath(path);
}

interface ScriptAndTask {
  /** Absent: the default script. */
  readonly path?: string;
  readonly task: string;
}

async function scriptAndTask(
  powers: WorkflowPowers,
  request: RunRequest,
  cwd: string,
): Promise<ScriptAndTask> {
  const { environment, git } = powers;
  let task = (request.task ?? "").trim();
  let workflow = request.workflow;
  if (request.script === undefined && workflow === undefined && /^\/[\w.-]+(\s|$)/.test(task)) {
    const [name = ""] = task.split(/\s/, 1);
    workflow = name;
    task = task.slice(name.length).trim();
  }
  if (workflow !== undefined) {
    const repositoryTop = await git.topLevel(cwd);
    const path = await findSavedWorkflow(workflow, { cwd, repositoryTop, home: environment.home });
    return { path, task: task || `Run saved workflow ${workflow.replace(/^\//, "")}` };
  }
  if (request.script !== undefined) {
    if (request.script === "") throw usageError("--script needs the path of a script");
    const path = resolve(environment.cwd, request.script);
    return { path, task: task || `Run workflow script ${request.script}` };
  }
  if (task === "") {
    throw usageError(
      "workflow run requires a task or --script",
      'say what to do: pallium workflow run "review this branch"',
      "or name a script: pallium workflow run --script review.js",
    );
  }
  return { task };
}

/** How deep in workflows this process is; 0 at the top. */
export function workflowDepth(variables: Readonly<Record<string, string>>): number {
  const depth = Number(variables.PALLIUM_WORKFLOW_DEPTH ?? "0");
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}

/** An agent that starts workflows whose agents start workflows would never end. */
export function assertDepth(variables: Readonly<Record<string, string>>, limit: number): void {
  const depth = workflowDepth(variables);
  if (depth < limit) return;
  throw new PalliumError(
    "workflow_depth",
    `workflow run refused: it was started by a worker of a workflow (depth ${depth})`,
    { hints: [`allow it on purpose with --max-depth ${depth + 1}`] },
  );
}

/** The flag, else the variable, else what settings say, else 0 for no limit. */
export function activeRunLimit(
  variables: Readonly<Record<string, string>>,
  settings: Pick<Settings, "variables">,
  flag?: number | undefined,
): number {
  if (flag !== undefined && flag > 0) return flag;
  const { PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS: said = "" } = { ...variables, ...settings.variables };
  const limit = Number(said);
  return Number.isInteger(limit) && limit > 0 ? limit : 0;
}

/** The hash by which a call knows the arguments of its run. */
export function argsHash(args: Json): string {
  return sha256(canonicalJson(args));
}

/**
 * Whether the script asks that any failed call fails the run.
 * @throws PalliumError `script_meta` when it asks in anything but a boolean.
 */
export function isStrictScript({ prepared, name }: ScriptSource): boolean {
  const strict = isRecord(prepared.meta) ? prepared.meta.strict : undefined;
  if (strict === undefined || typeof strict === "boolean") return strict === true;
  throw new PalliumError("script_meta", `meta.strict must be true or false at ${name}`, {
    hints: ["write strict: true in meta to let any failed call fail the run, or leave it out"],
  });
}
