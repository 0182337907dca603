/**
 * Runs a script in its locked-down Worker with stubs in the place of everything that its calls would
 * do. No process is started, nothing is edited, nobody is asked, nothing is written.
 */
import { errorData, type PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import type { CallPlan, PreparedCall } from "../calls/call.ts";
import type { CallSetting } from "../calls/execution.ts";
import { prepareCall } from "../calls/primitives.ts";
import { untilGreen } from "../calls/until-green.ts";
import type { CallMessage, DropMessage } from "../engine/protocol.ts";
import { createSchemaValidator } from "../engine/schema-host.ts";
import type { ScriptLimits, ScriptOutcome } from "../engine/script-host.ts";
import type { WorkflowPowers } from "../powers.ts";
import { type Budget, createBudget } from "../run/budget.ts";
import { type CallIdentity, createOccurrences, fingerprint } from "../run/identity.ts";
import { placed } from "../run/nested.ts";
import type { NestedSources } from "../run/nested-sources.ts";
import { type AskingScript, byOrder, planScripts } from "../run/plan-scripts.ts";
import type { ScriptSource } from "../run/request.ts";
import { prepareScript } from "../script/prepare.ts";
import { type Choice, createCompletionOrder } from "./completion-order.ts";
import { type StubOptions, stubAnswer } from "./stub-answers.ts";

export interface RehearsalOptions {
  readonly script: ScriptSource;
  /** Made anew for each rehearsal: it remembers what ended. */
  readonly setting: CallSetting;
  readonly sources: NestedSources;
  readonly limits: ScriptLimits;
  /** In micro-dollars; absent for no limit. */
  readonly budgetMicros?: number;
  /** Held back for an agent before it starts, and what it is then taken to cost. */
  readonly estimateMicros: number;
  readonly costMicros: (plan: CallPlan) => number;
  /** Calls that are answered; those behind them never are. */
  readonly mostCalls: number;
  /** How many items lists in answers have. */
  readonly items: number;
  /** What free text in an answer is. */
  readonly word: (fingerprint: string) => string;
  readonly choose: Choice;
}

/** A call that the script made. */
export interface RehearsedCall {
  /** Its number among the calls of its script, behind that of the workflow which the script is. */
  readonly order: readonly number[];
  readonly identity: CallIdentity;
  readonly plan: CallPlan;
  readonly phase: string;
  /** Saved workflow whose script made it; absent for the script itself. */
  readonly workflow?: string;
  /** 1-based; absent where the call did not say. */
  readonly line?: number;
  readonly column?: number;
  /** Why it would fail before anything is paid for. */
  readonly refusal?: string;
  readonly note?: string;
}

/** A call that was refused for what it was asked, before it was one. */
export interface RefusedCall extends Pick<RehearsedCall, "workflow" | "line" | "column" | "phase"> {
  readonly order: readonly number[];
  readonly primitive: string;
  readonly error: string;
}

export interface Rehearsal {
  readonly outcome: ScriptOutcome;
  /** In the order in which the script made them. */
  readonly calls: readonly RehearsedCall[];
  readonly refused: readonly RefusedCall[];
  /** Calls of `verify.untilGreen`. */
  readonly loops: number;
  /** Whether a call was left without an answer, since there were too many. */
  readonly isCut: boolean;
  /** In the order in which they were entered first. */
  readonly phases: readonly string[];
  readonly drops: readonly DropMessage[];
  readonly logs: readonly string[];
}

export type Rehearse = (options: RehearsalOptions) => Promise<Rehearsal>;

/** Gives `work` the means to rehearse, as often as it likes. */
export async function withRehearsals<T>(
  powers: Pick<WorkflowPowers, "scriptWorker" | "schemaWorker" | "answerSchema">,
  work: (rehearse: Rehearse) => Promise<T>,
): Promise<T> {
  const { answerSchema, schemaWorker, scriptWorker } = powers;
  const validator = createSchemaValidator(schemaWorker);
  try {
    return await work((options) =>
      new Stand(options, { validator, answerSchema, items: options.items }).run(scriptWorker),
    );
  } finally {
    validator.close();
  }
}

/** Stands in for all that a run has: answers its calls and writes down what was asked. */
class Stand {
  readonly #options: RehearsalOptions;
  readonly #stubs: StubOptions;
  readonly #budget: Budget;
  readonly #order;
  readonly #occurrence = createOccurrences();
  readonly #calls: RehearsedCall[] = [];
  readonly #refused: RefusedCall[] = [];
  #isCut = false;
  #loops = 0;

  constructor(options: RehearsalOptions, stubs: StubOptions) {
    this.#options = options;
    this.#stubs = stubs;
    this.#budget = createBudget(options.budgetMicros, 0, options.estimateMicros);
    this.#order = createCompletionOrder(options.choose);
  }

  async run(workerEntry: string | URL): Promise<Rehearsal> {
    const { script, setting, sources, limits } = this.#options;
    const phases = new Set<string>();
    const drops: DropMessage[] = [];
    const logs: string[] = [];
    const outcome = await planScripts(
      {
        workerEntry,
        limits,
        sources,
        budget: () => this.#budget.view(),
        answers: (asking, message) => this.#answer(asking, message),
        prepare: ({ text, name }) => prepareScript(text, name, { callSites: true }),
        onAsking: (caughtUp) => this.#order.watch(caughtUp),
        hears: {
          drop: (message) => void drops.push(message),
          phase: (name, active) => void (active && phases.add(name)),
          log: (text) => void logs.push(text),
        },
      },
      setting,
      script,
    );
    const inOrder = <Made extends { readonly order: readonly number[] }>(made: readonly Made[]) =>
      made.toSorted((a, b) => byOrder(a.order, b.order));
    return {
      outcome,
      calls: inOrder(this.#calls),
      refused: inOrder(this.#refused),
      isCut: this.#isCut,
      loops: this.#loops,
      phases: [...phases],
      drops,
      logs,
    };
  }

  async #answer(asking: AskingScript, message: CallMessage): Promise<Json | undefined> {
    const call = placed(message, asking.place);
    const at = { ...siteOf(asking, call), order: [...asking.order, message.id] };
    let made = 0;
    try {
      if (message.primitive !== "verify.untilGreen") {
        return await this.#stand(asking, at, await prepareCall(asking.setting, call));
      }
      this.#loops += 1;
      return await untilGreen(asking.setting, call, (inner) => {
        made += 1;
        return this.#stand(asking, { ...at, order: [...at.order, made] }, inner);
      });
    } catch (error) {
      if (
        !this.#calls.some(({ order }) => at.order.every((number, step) => order[step] === number))
      ) {
        const { primitive, phase } = call;
        this.#refused.push({ ...at, primitive, phase, error: errorData(error).message });
      }
      throw error;
    }
  }

  async #stand(
    { setting }: AskingScript,
    at: Pick<RehearsedCall, "order" | "workflow" | "line" | "column">,
    { site, plan, value }: PreparedCall,
  ): Promise<Json | undefined> {
    if (this.#calls.length >= this.#options.mostCalls) {
      this.#isCut = true;
      return undefined;
    }
    const print = fingerprint(plan.content);
    const occurrence = this.#occurrence(site.scope, print);
    const identity = { scope: site.scope, fingerprint: print, occurrence };
    const call: RehearsedCall = { ...at, identity, plan, phase: site.phase };
    const place = this.#calls.push(call) - 1;
    try {
      this.#pay(plan);
      const { output, note } = await stubAnswer(this.#stubs, plan, this.#options.word(print));
      if (note !== undefined) this.#calls[place] = { ...call, note };
      await this.#order.turn();
      setting.finished.add(identity, plan.label, { outcome: "ok", text: output });
      return value(output);
    } catch (error) {
      this.#calls[place] = { ...call, refusal: errorData(error as PalliumError).message };
      throw error;
    }
  }

  /** @throws PalliumError `budget_exhausted` */
  #pay(plan: CallPlan): void {
    if (plan.kind !== "agent") return;
    this.#budget.reserve().settle(this.#options.costMicros(plan));
  }
}

function siteOf({ workflow }: AskingScript, { line, column }: CallMessage) {
  return {
    ...(workflow === undefined ? {} : { workflow }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
