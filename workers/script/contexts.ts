/** Where in the script the running code is: its structural scope and its phase. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PhaseHold, Phases } from "./phases.ts";

/** Leaves room for the last step under the protocol's limit of a scope's text. */
const SCOPE_LIMIT = 4000;

interface Scope {
  /** Such as `parallel#1[3]/pipeline#0[2].1`; empty at the top. */
  readonly path: string;
  /** How many of each kind this scope has started. */
  readonly started: Record<"parallel" | "pipeline" | "workflow" | "untilGreen", number>;
}

interface Context {
  readonly scope: Scope;
  readonly phase: PhaseHold;
}

export type GroupKind = keyof Scope["started"];

export class Contexts {
  readonly #storage = new AsyncLocalStorage<Context>();
  readonly #phases: Phases;
  readonly #top: Context;

  constructor(phases: Phases) {
    this.#phases = phases;
    this.#top = { scope: createScope(""), phase: phases.hold("") };
  }

  get #current(): Context {
    return this.#storage.getStore() ?? this.#top;
  }

  get scope(): string {
    return this.#current.scope.path;
  }

  get phase(): string {
    return this.#current.phase.name;
  }

  enterPhase(name: string): void {
    this.#current.phase.moveTo(name);
  }

  /** Keeps a phase open for work that has no scope of its own. */
  holdPhase(name: string): PhaseHold {
    return this.#phases.hold(name);
  }

  /** Runs `work` in this scope with a phase of its own. */
  inPhase<T>(phase: PhaseHold, work: () => T): T {
    return this.#storage.run({ scope: this.#current.scope, phase }, work);
  }

  /** Runs the script itself; leaves its phase when it settles. */
  async atTop<T>(work: () => PromiseLike<T>): Promise<T> {
    try {
      return await this.#storage.run(this.#top, work);
    } finally {
      this.#top.phase.release();
    }
  }

  /** Starts `work` at once in a scope of its own, in `phase` until it moves on. */
  async inScope<T>(path: string, phase: string, work: () => Promise<T>): Promise<T> {
    const hold = this.#phases.hold(phase);
    try {
      return await this.#storage.run({ scope: createScope(path), phase: hold }, work);
    } finally {
      hold.release();
    }
  }

  /** Path of the next group or workflow of this scope, such as `parallel#1[3]/pipeline#0`. */
  nextGroup(kind: GroupKind): string {
    const { path, started } = this.#current.scope;
    if (path.length > SCOPE_LIMIT) {
      throw new RangeError("parallel, pipeline and workflow are nested too deeply");
    }
    const ordinal = started[kind];
    started[kind] += 1;
    return `${path === "" ? "" : `${path}/`}${kind}#${ordinal}`;
  }
}

function createScope(path: string): Scope {
  return { path, started: { parallel: 0, pipeline: 0, workflow: 0, untilGreen: 0 } };
}
