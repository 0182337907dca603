/**
 * The scripts of one execution, each in a worker of its own: the run's, and the saved workflows it
 * calls. They share its journal, its limits and its budget.
 */
import { messageOf, PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import type { PreparedCall } from "../calls/call.ts";
import type { Execution } from "../calls/execution.ts";
import { perform } from "../calls/perform.ts";
import { prepareCall } from "../calls/primitives.ts";
import { untilGreen } from "../calls/until-green.ts";
import type { CallMessage, DropMessage } from "../engine/protocol.ts";
import { runScript, type ScriptLimits, type ScriptOutcome } from "../engine/script-host.ts";
import type { PreparedScript } from "../script/prepare.ts";
import { nestedCall, nestedValue, placed, type ScriptPlace, TOP } from "./nested.ts";
import type { NestedSources } from "./nested-sources.ts";
import { createPhaseHolds, type PhaseHolds } from "./phase-holds.ts";
import { argsHash } from "./request.ts";
import { spoken } from "./script-errors.ts";

/** Saved workflows that run at the same time; each takes a worker. */
const NESTED_AT_ONCE = 16;
/** What the worker of such a workflow may take before its script does anything: 10 MB were measured. */
const WORKER_BYTES = 32 * 1024 * 1024;

export interface ScriptsOptions {
  readonly workerEntry: string | URL;
  readonly limits: ScriptLimits;
  readonly sources: NestedSources;
  /** Ends the calls at work, when nobody is left to take their values. */
  readonly cancelCalls: (reason: unknown) => void;
  /** Ends every script. */
  readonly signal: AbortSignal;
  /** Called when the script of the run has ended, before its calls have. */
  readonly onEnd: () => void;
}

/**
 * Runs the script of a run and what it calls, and waits for the calls that are at work when it ends.
 * @returns how it ended, or the forced end of a workflow that it called.
 */
export async function runScripts(
  execution: Execution,
  script: PreparedScript,
  options: ScriptsOptions,
): Promise<ScriptOutcome> {
  const scripts = new Scripts(execution, options);
  const { outcome } = await scripts.run(execution, script, TOP);
  options.onEnd();
  return (await scripts.close()) ?? outcome;
}

interface ScriptRun {
  readonly outcome: ScriptOutcome;
  /** Whether it failed with a call whose failure is on record. */
  readonly isRecorded: boolean;
}

class Scripts {
  readonly #execution: Execution;
  readonly #options: ScriptsOptions;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #phases: PhaseHolds;
  readonly #nestedSlots = createSemaphore(NESTED_AT_ONCE);
  /** Aborted when the script of the run is over, or one that it called was ended by force. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  #nestedWorkers = 0;
  #forcedEnd: ScriptOutcome | undefined;

  constructor(execution: Execution, options: ScriptsOptions) {
    this.#execution = execution;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#over.signal]);
    this.#phases = createPhaseHolds((name, active) => {
      if (active) execution.notice(`phase ${name}`);
      this.#unawaited(execution.journal.phase(name, active));
    });
  }

  /** Ends what the run's script called and did not wait for, and waits for the calls at work. */
  async close(): Promise<ScriptOutcome | undefined> {
    this.#over.abort();
    this.#execution.gates.close();
    await Promise.allSettled(this.#calls);
    return this.#forcedEnd;
  }

  async run(execution: Execution, script: PreparedScript, place: ScriptPlace): Promise<ScriptRun> {
    const failedCalls = new Set<number>();
    const phases = this.#phases.forScript();
    const { program, fileName } = script;
    let forget = () => {};
    const outcome = await runScript({
      entry: this.#options.workerEntry,
      start: {
        type: "start",
        program,
        fileName,
        args: execution.args,
        budget: execution.budget.view(),
      },
      limits: this.#options.limits,
      signal: this.#signal,
      budget: () => execution.budget.view(),
      onAsking: (caughtUp) => {
        forget = execution.lull.watch(caughtUp);
      },
      sparedBytes: () => execution.repo.memoryBytes() + this.#nestedWorkers * WORKER_BYTES,
      handlers: {
        call: (message) =>
          this.#track(this.#carryOut(execution, message, place), (error) =>
            this.#callFailed(error, placed(message, place), failedCalls),
          ),
        drop: (message) => this.#dropped(placed(message, place), failedCalls),
        phase: phases.set,
        log: execution.notice,
      },
    });
    forget();
    execution.admission.open = false;
    phases.release();
    this.#report(outcome);
    const isRecorded = outcome.kind === "failed" && failedCalls.has(outcome.error.call ?? 0);
    return { outcome, isRecorded };
  }

  async #carryOut(execution: Execution, message: CallMessage, place: ScriptPlace): Promise<Json> {
    execution.lull.enter();
    try {
      return await this.#answer(execution, message, place);
    } finally {
      execution.lull.leave();
    }
  }

  async #answer(execution: Execution, message: CallMessage, place: ScriptPlace): Promise<Json> {
    if (message.primitive === "workflow") return this.#nested(execution, message, place);
    const ask = async ({ site, plan, value }: PreparedCall) =>
      value(await perform(execution, site, plan));
    const call = placed(message, place);
    if (message.primitive !== "verify.untilGreen") return ask(await prepareCall(execution, call));
    return (await untilGreen(execution, call, ask, execution)) ?? null;
  }

  async #nested(caller: Execution, message: CallMessage, at: ScriptPlace): Promise<Json> {
    const { name, args, place } = nestedCall(placed(message, at), at);
    const source = await this.#options.sources.load(name);
    const release = await this.#nestedSlots.acquire();
    this.#nestedWorkers += 1;
    try {
      this.#signal.throwIfAborted();
      await caller.journal.nested({ scope: place.scope, ...source, script: source.script.text });
      const inner = { ...caller, args, argsHash: argsHash(args), admission: { open: true } };
      const { outcome, isRecorded } = await this.#runNested(inner, source.script.prepared, place);
      this.#endRunWith(outcome);
      return this.#valueOf(source.name, outcome, isRecorded);
    } finally {
      this.#nestedWorkers -= 1;
      release();
    }
  }

  /** While a nested script is at work, what may come of it are its own calls. */
  async #runNested(
    execution: Execution,
    script: PreparedScript,
    place: ScriptPlace,
  ): Promise<ScriptRun> {
    const running = this.run(execution, script, place);
    execution.lull.leave();
    try {
      return await running;
    } finally {
      execution.lull.enter();
    }
  }

  #valueOf(name: string, outcome: ScriptOutcome, isRecorded: boolean): Json {
    try {
      return nestedValue(name, outcome);
    } catch (error) {
      if (isRecorded) this.#execution.recordedErrors.add(error as object);
      throw error;
    }
  }

  /** A workflow that had to be ended by force takes the run with it. */
  #endRunWith(outcome: ScriptOutcome): void {
    if (!isForcedEnd(outcome)) return;
    this.#forcedEnd ??= outcome;
    this.#over.abort();
  }

  #report(outcome: ScriptOutcome): void {
    const { notice } = this.#execution;
    if (isForcedEnd(outcome)) this.#options.cancelCalls(new Error(`script ${outcome.kind}`));
    else if (outcome.kind !== "aborted") reportAbandoned(notice, outcome);
    if (outcome.kind === "returned") for (const note of outcome.notes) notice(note);
  }

  #callFailed(error: unknown, message: CallMessage, failedCalls: Set<number>): void {
    if (error instanceof PalliumError && error.fatal) return;
    failedCalls.add(message.id);
    if (this.#execution.recordedErrors.has(error as object)) return;
    const { primitive: label, phase } = message;
    this.#unawaited(this.#execution.journal.dropped({ label, phase, error: messageOf(error) }));
  }

  #dropped({ label, phase, error }: DropMessage, failedCalls: ReadonlySet<number>): void {
    if (error.call !== undefined && failedCalls.has(error.call)) return;
    const text = spoken(error.message, "item");
    this.#unawaited(this.#execution.journal.dropped({ label, phase, error: text }));
  }

  #track<T>(work: Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
    this.#calls.add(work);
    work.catch(onFailure).finally(() => this.#calls.delete(work));
    return work;
  }

  /** For the journal's notices, which no call waits for: the journal itself reports its failures. */
  #unawaited(write: Promise<void>): void {
    void this.#track(write, () => {});
  }
}

function isForcedEnd({ kind }: ScriptOutcome): boolean {
  return kind === "stalled" || kind === "memory" || kind === "violation" || kind === "crashed";
}

/** Calls that a script did not wait for: those at work are paid for and finish, the others never start. */
function reportAbandoned(notice: (line: string) => void, { abandoned }: ScriptOutcome): void {
  if (abandoned.length === 0) return;
  const what = abandoned.length === 1 ? "1 call was" : `${abandoned.length} calls were`;
  notice(`the script ended while ${what} still open; calls at work finish first`);
}
