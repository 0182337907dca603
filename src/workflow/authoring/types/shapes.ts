/** The part of the types that no table of the runtime holds: what calls take and answer with. */
export const SHAPES = `/** JSON Schema, 2020-12. */
interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What an answer is that matches a schema; \`any\` where the schema is not written out. */
type AnswerOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly type: infer T }
      ? string extends T
        ? any
        : AnswerOfType<S, T>
      : any;

type AnswerOfType<S, T> = T extends "object"
  ? S extends { readonly properties: infer P }
    ? {
        -readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: AnswerOf<P[K]>;
      } & {
        -readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: AnswerOf<P[K]>;
      }
    : { [key: string]: any }
  : T extends "array"
    ? S extends { readonly items: infer I }
      ? AnswerOf<I>[]
      : any[]
    : T extends "string"
      ? string
      : T extends "number" | "integer"
        ? number
        : T extends "boolean"
          ? boolean
          : T extends "null"
            ? null
            : any;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

/** What a promise, or a function that answers with one, comes to. */
type Outcome<T> = T extends () => infer R ? Awaited<R> : Awaited<T>;

/** What a \`check\` found. */
interface CheckResult {
  /** The exit status is 0. */
  ok: boolean;
  command: string;
  /** One sentence. */
  summary: string;
  /** The end of the output, without colours. */
  output_tail: string;
  /** Empty where \`ok\`. */
  failures: { name: string; message: string; file?: string; line?: number }[];
  exit_code: number | null;
  duration_ms: number;
  timed_out?: true;
  output_limited?: true;
}

/** What \`verify.untilGreen\` came to. */
interface UntilGreenResult {
  ok: boolean;
  command: string;
  rounds: {
    round: number;
    command: string;
    check: CheckResult;
    /** Whether an agent fixed something after this check. */
    fixed: boolean;
    fix?: { summary: string; files_changed?: string[]; confidence?: string };
  }[];
  /** The same things failed twice in a row. */
  stalled: boolean;
  verdict: "green" | "stalled" | "exhausted" | "weakened";
  /** Tests and their configuration that were changed on the way. */
  weakened: { file: string; reason: string }[];
  /** Whether it is merged with the other edits of the run. */
  merged: boolean;
  /** Path of what was changed, as a patch. */
  patch?: string;
}

/** How a gate was decided. */
interface GateResult {
  approved: boolean;
  reason: string;
  gate: string;
  /** The whole answer of who decided. */
  verdict: any;
}

/** What \`coordinator.replan\` advises. */
interface Replan {
  decision: string;
  next_steps: string[];
  spawn?: string[];
  stop_reason?: string;
}

/** A decision on record. */
interface Decision {
  id: string;
  run_id: string;
  title: string;
  body?: string;
  tags?: string[];
  created_at: string;
}

/** What the command of that name prints with --json. */
interface PalliumReport {
  readonly [field: string]: any;
}`;
