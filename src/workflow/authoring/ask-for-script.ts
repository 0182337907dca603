/** Has the provider that agents would get write a workflow script: one call that only reads. */
import { PalliumError } from "../../lib/errors.ts";
import { workingTreeTop } from "../../platform/git/working-tree-top.ts";
import { findExecutable } from "../../platform/process/executable.ts";
import { runProcess } from "../../platform/process/supervisor.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";
import type { AgentTask, ProcessProvider, ProviderResult } from "../../providers/contract.ts";
import { createProviders } from "../../providers/resolve.ts";
import { callFiles, writeInput } from "../calls/call-files.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { environmentOfWorkers } from "../run/create-execution.ts";
import { workflowDepth } from "../run/request.ts";
import { settingsFor } from "../settings/in-force.ts";

const TIMEOUT_SECONDS = 600;
const OUTPUT_LIMIT = 64 * 1024 * 1024;
const INTERRUPTED = 130;
/** All of a text in one fence, whatever language it names. */
const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1$/;

export interface ScriptQuestion {
  readonly prompt: string;
  /** Absolute folder that the provider may read. */
  readonly cwd: string;
  /** Program started for the provider `codex`; what settings say without. */
  readonly codex: string | undefined;
}

/**
 * The script as the provider wrote it, without a fence around it.
 * @throws PalliumError `generation_failed`, `interrupted`, `workflow_depth`, and those of a provider
 * that cannot be had.
 */
export async function askForScript(
  powers: WorkflowPowers,
  observer: RunObserver,
  question: ScriptQuestion,
): Promise<string> {
  const stubbed = powers.environment.variables.PALLIUM_WORKFLOW_GENERATE_STUB?.trim();
  if (stubbed) {
    observer.warn("PALLIUM_WORKFLOW_GENERATE_STUB is set: it stands in for the provider's script");
    return withoutFence(stubbed);
  }
  assertOutsideOfWorkers(powers);
  const result = await interruptibly(observer, (signal) => ask(powers, observer, question, signal));
  for (const note of result.notes ?? []) observer.notice(note);
  if (!result.ok) throw failed(result.message);
  const script = withoutFence(result.text);
  if (script === "") throw failed("the provider answered nothing");
  return script;
}

/** @returns the text itself where no fence surrounds all of it. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  return FENCED.exec(trimmed)?.[2]?.trim() ?? trimmed;
}

function failed(reason: string): PalliumError {
  return new PalliumError("generation_failed", `workflow generation failed: ${reason}`, {
    hints: [
      "leave --llm out for the script of the template",
      "choose another provider with PALLIUM_WORKFLOW_PROVIDER",
    ],
  });
}

/** A worker that has workers write what starts workers would never end. */
function assertOutsideOfWorkers({ environment: { variables } }: WorkflowPowers): void {
  const depth = workflowDepth(variables);
  if (depth === 0) return;
  throw new PalliumError(
    "workflow_depth",
    `workflow generate --llm refused: it was started by a worker of a workflow (depth ${depth})`,
    { hints: ["leave --llm out for the script of the template"] },
  );
}

async function interruptibly(
  observer: RunObserver,
  work: (signal: AbortSignal) => Promise<ProviderResult>,
): Promise<ProviderResult> {
  const interruption = new AbortController();
  const forget = observer.onInterrupt(() => interruption.abort());
  try {
    const result = await work(interruption.signal);
    if (!interruption.signal.aborted || result.ok) return result;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    forget();
  }
  throw new PalliumError("interrupted", "interrupted; no script was written", {
    exitCode: INTERRUPTED,
  });
}

async function ask(
  powers: WorkflowPowers,
  observer: RunObserver,
  { prompt, cwd, codex }: ScriptQuestion,
  signal: AbortSignal,
): Promise<ProviderResult> {
  const { limits, claude, models, ...settings } = await settingsFor(powers, cwd, observer.warn);
  const variables = { ...powers.environment.variables, ...settings.variables };
  const providers = createProviders({
    variables,
    codexBinary: codex ?? limits.codex ?? "codex",
    claudeBinary: claude,
    models,
    findExecutable: (program) => findExecutable(program, variables.PATH ?? "", cwd),
  });
  const provider = providers.get(providers.resolve(""));
  const id = powers.ids.next("generate");
  const task: AgentTask = {
    runId: id,
    agentId: id,
    provider: provider.name,
    label: "workflow-generator",
    mode: "read-only",
    model: providers.defaultModel(provider.name),
    repo: cwd,
    cwd,
    root: await workingTreeTop(cwd),
    prompt,
    network: false,
    effort: "",
  };
  observer.notice(`asking ${provider.name} for the script`);
  if (provider.kind === "inline") return provider.answer(task, signal);
  return askProcess(powers, observer, provider, task, signal);
}

async function askProcess(
  { environment: { variables } }: WorkflowPowers,
  observer: RunObserver,
  provider: ProcessProvider,
  task: AgentTask,
  signal: AbortSignal,
): Promise<ProviderResult> {
  await using folder = await temporaryFolder("pallium-generate-");
  const files = callFiles(folder.path, task);
  await writeInput(files, provider.promptText(task), undefined);
  const invocation = provider.invocation(task, files);
  for (const line of invocation.notices ?? []) observer.notice(line);
  const end = await runProcess(
    {
      argv: invocation.argv,
      cwd: invocation.cwd,
      env: { ...environmentOfWorkers(variables), ...invocation.env },
      dir: files.dir,
      stdinFile: files.prompt,
      stdoutFile: files.stdout,
      stderrFile: files.stderr,
      deadlineMs: TIMEOUT_SECONDS * 1000,
      outputLimit: OUTPUT_LIMIT,
      watchedFiles: [files.output, files.usage],
      marker: task.agentId,
    },
    signal,
  );
  return await provider.interpret(task, files, end, TIMEOUT_SECONDS);
}
