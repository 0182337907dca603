/** How the functions of the script API are typed, by the names they have in the catalogue of tools. */

/** Parameters and result, one per overload. A name of the catalogue that is no function has a type. */
export interface Typed {
  readonly functions?: readonly string[];
  readonly type?: string;
}

const PROMPT = "prompt: string | number | boolean";
const PATH_REPORT: Typed = { functions: ["(path: string): Promise<PalliumReport>"] };
const BARE_REPORT: Typed = { functions: ["(): Promise<PalliumReport>"] };

export const SIGNATURES: Readonly<Record<string, Typed>> = {
  phase: {
    functions: ["(name: string | number): void", "<T>(name: string | number, fn: () => T): T"],
  },
  log: { functions: ["(...parts: unknown[]): void"] },
  budget: {
    type: "{ readonly total: number | null; spent(): number; remaining(): number | null }",
  },
  agent: {
    functions: [
      `<const S extends JsonSchema = never>(${PROMPT}, options?: AgentOptions<S>): Promise<[S] extends [never] ? any : AnswerOf<S>>`,
    ],
  },
  parallel: {
    functions: [
      "<T, R>(items: Iterable<T>, fn: (item: T, index: number) => R): Promise<(Awaited<R> | null)[]>",
      "<T>(items: Iterable<T>): Promise<(Outcome<T> | null)[]>",
    ],
  },
  pipeline: {
    functions: [
      "<T>(items: Iterable<T>): Promise<T[]>",
      "<T, A>(items: Iterable<T>, stage1: Stage<T, T, A>): Promise<(Awaited<A> | null)[]>",
      "<T, A, B>(items: Iterable<T>, stage1: Stage<T, T, A>, stage2: Stage<Awaited<A>, T, B>): Promise<(Awaited<B> | null)[]>",
      "<T, A, B, C>(items: Iterable<T>, stage1: Stage<T, T, A>, stage2: Stage<Awaited<A>, T, B>, stage3: Stage<Awaited<B>, T, C>): Promise<(Awaited<C> | null)[]>",
      "<T>(items: Iterable<T>, ...stages: Stage<any, T, any>[]): Promise<any[]>",
    ],
  },
  check: {
    functions: [
      "<const S extends JsonSchema = never>(command: string, options?: CheckOptions<S>): Promise<[S] extends [never] ? CheckResult : AnswerOf<S>>",
    ],
  },
  "verify.untilGreen": {
    functions: ["(command: string, options?: UntilGreenOptions): Promise<UntilGreenResult>"],
  },
  workflow: { functions: ["(name: string, args?: unknown): Promise<any>"] },
  gate: {
    functions: [
      "(name: string, options?: GateOptions): Promise<GateResult>",
      "(name: string, prompt: string | undefined, options?: GateOptions): Promise<GateResult>",
    ],
  },
  "coordinator.replan": {
    functions: [
      "<const S extends JsonSchema = never>(goal: string, options?: AgentOptions<S>): Promise<[S] extends [never] ? Replan : AnswerOf<S>>",
    ],
  },
  "pallium.verify": {
    functions: [
      '(tier?: "fast" | "safe" | "full", options?: VerifyOptions): Promise<PalliumReport>',
      "(options: VerifyOptions): Promise<PalliumReport>",
    ],
  },
  "pallium.review": {
    functions: [
      "(base?: string, options?: ReviewOptions): Promise<PalliumReport>",
      "(options: ReviewOptions): Promise<PalliumReport>",
    ],
  },
  "pallium.handoff": {
    functions: [
      "(base?: string, options?: HandoffOptions): Promise<PalliumReport>",
      "(options: HandoffOptions): Promise<PalliumReport>",
    ],
  },
  "pallium.changedNow": BARE_REPORT,
  "pallium.preflight": {
    functions: [
      "(task: string, ...scopes: (string | readonly string[])[]): Promise<PalliumReport>",
    ],
  },
  "pallium.decisions.record": {
    functions: [
      "(title: string, body?: string, ...tags: (string | readonly string[])[]): Promise<Decision>",
    ],
  },
  "pallium.decisions.search": {
    functions: ["(query: string, limit?: number): Promise<Decision[]>"],
  },
  "pallium.explain": PATH_REPORT,
  "pallium.safe": PATH_REPORT,
  "pallium.plan": PATH_REPORT,
  "pallium.task.start": {
    functions: [
      "(goal: string, ...scopesThenOptions: (string | readonly string[] | TaskOptions)[]): Promise<PalliumReport>",
    ],
  },
  "pallium.task.show": BARE_REPORT,
  "pallium.task.clear": BARE_REPORT,
};
