/**
 * Has a provider answer one request in the place it is given: its process or its stub, the schema,
 * one corrective retry; then what it did to files is taken from there.
 */
import { join } from "node:path";
import { errorData, messageOf } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import { workingTreeTop } from "../../platform/git/working-tree-top.ts";
import { sleep } from "../../platform/sleep.ts";
import type {
  AgentTask,
  ProcessProvider,
  Provider,
  ProviderResult,
} from "../../providers/contract.ts";
import { asLeft, conversationNames } from "../../providers/conversation.ts";
import { correctedPrompt } from "../../providers/correction.ts";
import { timeoutText } from "../../providers/failures.ts";
import { mergeUsage } from "../../providers/usage.ts";
import type { Workspace } from "../edits/run-edits.ts";
import type { Player } from "../recordings/player.ts";
import type { Slot } from "../run/slots.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { BegunCall, WorkResult } from "./call.ts";
import { callFiles, writeInput } from "./call-files.ts";
import { callDirectory, callMarker, remainingMs, runChild } from "./child.ts";
import type { Execution } from "./execution.ts";
import { type Asked, afterEarlier, askWithRetries } from "./retry.ts";
import { affordsMore, workUsage } from "./spending.ts";
import { OWN_PLACE, type Placement } from "./workspace.ts";

/** Time a worker has between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

interface Attempt {
  readonly execution: Execution;
  readonly request: AgentRequest;
  readonly provider: Provider;
  readonly slot: Slot;
  readonly callId: string;
  readonly place: Workspace;
  /** Conversations that were had so far. */
  readonly had: (string | undefined)[];
  /** Whether an earlier runner started it. */
  readonly adopted: boolean;
  /** When the call's time is up, in `performance.now()`; absent for no limit. */
  readonly deadline?: number;
}

/** Rejects only before anything was paid for: no such program, a schema that is none, no place to work. */
export async function agentWork(
  execution: Execution,
  request: AgentRequest,
  call: BegunCall,
  slot: Slot,
  placement: Placement = OWN_PLACE,
): Promise<WorkResult> {
  if (request.schema !== undefined) await execution.validator.compile(request.schema);
  const { player } = execution;
  if (player !== undefined) return replayed(execution, player, request, call, placement);
  const provider = execution.providers.get(call.provider);
  const place = await placement.open(execution, request, call);
  const model = request.model || execution.providers.defaultModel(call.provider);
  const result = await answered(execution, { ...request, model }, call, slot, { place, provider });
  const left = await placement.leave(execution, request, call.callId, place, result);
  await record(execution, request, call, place, left);
  return left;
}

/** Answers from a recording; it costs nothing. */
async function replayed(
  execution: Execution,
  player: Player,
  request: AgentRequest,
  call: BegunCall,
  placement: Placement,
): Promise<WorkResult> {
  const file = await player.find(request, call);
  const place = await placement.open(execution, request, call);
  const answer = await player.answer(file, place);
  const { result } = await checked({ execution, request, had: [] }, { answer, attempts: 1 });
  return placement.leave(execution, request, call.callId, place, { ...result, costMicros: 0 });
}

/** What keeps a call from being recorded is told; it costs nobody his answer. */
async function record(
  { recorder, warn }: Execution,
  request: AgentRequest,
  call: BegunCall,
  place: Workspace,
  result: WorkResult,
): Promise<void> {
  if (recorder === undefined) return;
  const reason = await recorder.record(request, call, place, result).catch(messageOf);
  if (reason !== undefined) warn(`${request.label || call.callId} was not recorded: ${reason}`);
}

async function answered(
  execution: Execution,
  request: AgentRequest,
  { callId, startedAt }: BegunCall,
  slot: Slot,
  means: Pick<Attempt, "place" | "provider">,
): Promise<WorkResult> {
  const left = remainingMs(execution, request.timeoutSeconds, startedAt);
  const attempt: Attempt = {
    execution,
    request,
    ...means,
    slot,
    callId,
    had: [],
    adopted: startedAt !== undefined,
    ...(left === undefined ? {} : { deadline: performance.now() + left }),
  };
  const first = await askPatiently(attempt, request.prompt, "");
  const firstChecked = await checked(attempt, first);
  if (firstChecked.schemaError === undefined || !mayRepeat(attempt)) return firstChecked.result;
  if (!affordsMore(execution, firstChecked.result)) {
    return withoutCorrection(firstChecked.result);
  }
  const second = await askPatiently(
    attempt,
    correctedPrompt(request.prompt, firstChecked.schemaError, request.schema ?? {}),
    "retry",
    first.answer,
  );
  const answer = afterEarlier(first.answer, second.answer);
  return (await checked(attempt, { answer, attempts: first.attempts + second.attempts })).result;
}

/** Whether asking once more can do no harm. */
function mayRepeat({ request, provider }: Attempt): boolean {
  return provider.kind === "process" && request.mode === "read-only";
}

function withoutCorrection(result: WorkResult): WorkResult {
  if (result.ok) return result;
  const message = `${result.message}; workflow budget exhausted: it is not asked to correct that`;
  return { ...result, message };
}

/**
 * Asks, and asks again while the provider is busy. Calls of other providers have the slot while this
 * one waits; those of its own begin no sooner than it asks again.
 * @param before how this call was answered before.
 */
function askPatiently(
  attempt: Attempt,
  prompt: string,
  suffix: string,
  before?: ProviderResult,
): Promise<Asked> {
  const { execution, request, slot, callId, deadline } = attempt;
  return askWithRetries({
    ask: async (count, last) => {
      const session = asLeft(asLeft(request.session?.(), before?.session), last?.session);
      const name = count === 0 ? suffix : `${suffix || "first"}-${count}`;
      const answer = await ask(attempt, prompt, name, session);
      attempt.had.push(answer.session);
      return answer;
    },
    retries: mayRepeat(attempt) ? execution.retries : 0,
    leftMs: () =>
      deadline === undefined ? Number.POSITIVE_INFINITY : deadline - performance.now(),
    wait: async (ms) => {
      const { signal } = callSignal(attempt);
      const over = execution.coolDowns.begin(slot.provider);
      try {
        const rest = () => slot.leaveDuring(() => sleep(ms, signal), signal);
        return await execution.drain.resting(rest, signal);
      } finally {
        over();
      }
    },
    affordsMore: (usage) =>
      affordsMore(
        execution,
        workUsage(execution.prices, request.model, mergeUsage(before?.usage, usage)),
      ),
    isInterrupted: () => execution.signal.aborted,
    random: Math.random,
    notice: (line) => execution.notice(`${request.label || callId} ${line}`),
  });
}

interface Checked {
  readonly result: WorkResult;
  readonly schemaError?: string;
}

async function checked(
  { execution, request, had }: Pick<Attempt, "execution" | "request" | "had">,
  { answer, attempts }: Asked,
): Promise<Checked> {
  for (const note of answer.notes ?? []) execution.notice(note);
  const usage = {
    ...workUsage(execution.prices, request.model, answer.usage),
    attempts,
    conversations: conversationNames(had),
  };
  if (!answer.ok) {
    const { outcome, message, output, code } = answer;
    return {
      result: {
        ok: false,
        outcome,
        message,
        ...usage,
        ...(code === undefined ? {} : { code }),
        ...(output === undefined ? {} : { output }),
      },
    };
  }
  const spent = { ...usage, ...optional({ session: answer.session }) };
  const good: WorkResult = { ok: true, output: answer.text, ...spent };
  if (request.schema === undefined) return { result: good };
  const bad = (message: string, code?: string): WorkResult => ({
    ok: false,
    outcome: "schema_failed",
    message,
    output: answer.text,
    ...(code === undefined ? {} : { code }),
    ...spent,
  });
  try {
    const verdict = await execution.validator.check(request.schema, answer.text);
    if (verdict.ok) return { result: good };
    return { result: bad(verdict.message), schemaError: verdict.message };
  } catch (error) {
    // The answer is paid for, whatever became of the validator.
    const { code, message } = errorData(error);
    return { result: bad(message, code) };
  }
}

/** @param suffix tells the files of a second attempt from those of the first. */
async function ask(
  attempt: Attempt,
  prompt: string,
  suffix: string,
  session: string | undefined,
): Promise<ProviderResult> {
  const { execution, request, provider, callId, place } = attempt;
  const task: AgentTask = {
    runId: execution.runId,
    agentId: callId,
    provider: provider.name,
    label: request.label,
    mode: request.mode,
    model: request.model,
    repo: request.repo,
    cwd: place.cwd,
    root: await topOf(attempt),
    prompt,
    ...(request.schema === undefined ? {} : { schema: request.schema }),
    network: request.network,
    effort: request.effort,
    ...optional({ session }),
  };
  if (provider.kind === "process") return askProcess(attempt, provider, task, suffix);
  const { signal, timedOut } = callSignal(attempt);
  try {
    const answer = await provider.answer(task, signal);
    if (!signal.aborted || answer.ok) return answer;
  } catch (error) {
    if (!signal.aborted) return { ok: false, outcome: "failed", message: messageOf(error) };
  }
  return timedOut()
    ? { ok: false, outcome: "timeout", message: timeoutText(request.timeoutSeconds, "stub agent") }
    : { ok: false, outcome: "cancelled", message: "the run was interrupted" };
}

/** A stub has no use for it, and is asked a thousand times over. */
async function topOf({ provider, place }: Attempt): Promise<string> {
  if (provider.kind === "inline") return place.cwd;
  return place.worktree?.root ?? workingTreeTop(place.cwd);
}

/** Aborted when the run is interrupted or the call's time is up. */
function callSignal(attempt: Attempt): { signal: AbortSignal; timedOut: () => boolean } {
  if (attempt.deadline === undefined) {
    return { signal: attempt.execution.signal, timedOut: () => false };
  }
  const timer = AbortSignal.timeout(Math.max(0, Math.ceil(attempt.deadline - performance.now())));
  return {
    signal: AbortSignal.any([attempt.execution.signal, timer]),
    timedOut: () => timer.aborted,
  };
}

/** A conversation that is gone is begun anew, once: nothing was asked of it. */
async function askProcess(
  attempt: Attempt,
  provider: ProcessProvider,
  task: AgentTask,
  suffix: string,
): Promise<ProviderResult> {
  const result = await runWorker(attempt, provider, task, suffix);
  if (result.ok || result.lostSession === undefined) return result;
  const { session: _, ...anew } = task;
  const again = await runWorker(attempt, provider, anew, `${suffix || "first"}-anew`);
  const who = task.label || task.agentId;
  const note = `${who}: its earlier conversation could not be taken up again; a new one was begun`;
  return { ...again, notes: [...(again.notes ?? []), note] };
}

async function runWorker(
  { execution, request, callId, adopted, deadline }: Attempt,
  provider: ProcessProvider,
  task: AgentTask,
  suffix: string,
): Promise<ProviderResult> {
  const files = callFiles(join(callDirectory(execution, callId), suffix), task);
  const invocation = provider.invocation(task, files);
  for (const line of invocation.notices ?? []) execution.notice(line);
  const end = await runChild(
    {
      argv: invocation.argv,
      cwd: invocation.cwd,
      env: { ...execution.workerEnvironment, ...invocation.env },
      dir: files.dir,
      stdinFile: files.prompt,
      stdoutFile: files.stdout,
      stderrFile: files.stderr,
      ...(deadline === undefined ? {} : { deadlineMs: Math.max(1, deadline - performance.now()) }),
      outputLimit: execution.outputLimitBytes,
      watchedFiles: [files.output, files.usage],
      graceMs: GRACE_MS,
      hurry: execution.isUrgent,
      looks: execution.looks,
      marker: callMarker(execution.runId, callId, suffix),
    },
    execution.signal,
    { adopt: adopted, prepare: () => writeInput(files, provider.promptText(task), task.schema) },
  );
  return provider.interpret(task, files, end, request.timeoutSeconds);
}
