/** Runs scripts in real workers, with host calls that a test answers. */
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { workerEntry } from "../../src/app/assets.ts";
import type { Json } from "../../src/lib/json.ts";
import {
  type CallMessage,
  type DropMessage,
  LOG_LINE_LIMIT,
  MESSAGE_LIMIT,
} from "../../src/workflow/engine/protocol.ts";
import { runScript, type ScriptOutcome } from "../../src/workflow/engine/script-host.ts";
import { prepareScript } from "../../src/workflow/script/prepare.ts";

export interface ScriptTrial {
  readonly outcome: ScriptOutcome;
  readonly calls: readonly CallMessage[];
  readonly drops: readonly DropMessage[];
  /** `+name` and `-name` in the order in which phases opened and closed. */
  readonly phases: readonly string[];
  readonly logs: readonly string[];
}

export interface TrialOptions {
  /** Answers a call, by default with its first argument; `undefined` leaves it without an answer. */
  readonly answer?: (call: CallMessage) => Json | undefined | Promise<Json>;
  readonly args?: Json;
  readonly budget?: () => { readonly total: number | null; readonly spent: number };
  readonly stallMs?: number;
  readonly memoryBytes?: number;
  readonly sparedBytes?: () => number;
  readonly signal?: AbortSignal;
  readonly entry?: string | URL;
  readonly onLog?: (text: string) => void;
  readonly fileName?: string;
}

/** Prepares and runs `source`, and collects all that it told the host. */
export async function tryScript(source: string, options: TrialOptions = {}): Promise<ScriptTrial> {
  const { program, fileName } = await prepareScript(source, options.fileName ?? "script.js");
  return await tryProgram(program, { ...options, fileName });
}

/** The same with a program that no preparation has looked at. */
export async function tryProgram(
  program: string,
  options: TrialOptions = {},
): Promise<ScriptTrial> {
  const calls: CallMessage[] = [];
  const drops: DropMessage[] = [];
  const phases: string[] = [];
  const logs: string[] = [];
  const answer = options.answer ?? ((call) => call.args[0] ?? null);
  const budget = options.budget ?? (() => ({ total: null, spent: 0 }));
  const outcome = await runScript({
    entry: options.entry ?? workerEntry("script"),
    start: {
      type: "start",
      program,
      fileName: options.fileName ?? "script.js",
      args: options.args ?? null,
      budget: budget(),
    },
    budget,
    limits: {
      stallMs: options.stallMs ?? 10_000,
      memoryBytes: options.memoryBytes ?? 512 * 1024 * 1024,
      messageCharacters: MESSAGE_LIMIT,
      logLineCharacters: LOG_LINE_LIMIT,
    },
    signal: options.signal ?? new AbortController().signal,
    ...(options.sparedBytes === undefined ? {} : { sparedBytes: options.sparedBytes }),
    handlers: {
      call: async (call) => {
        calls.push(call);
        return await answer(call);
      },
      drop: (drop) => drops.push(drop),
      phase: (name, active) => phases.push(`${active ? "+" : "-"}${name}`),
      log: (text) => {
        logs.push(text);
        options.onLog?.(text);
      },
    },
  });
  return { outcome, calls, drops, phases, logs };
}

/** What the script returned; throws when it ended in another way. */
export async function resultOf(source: string, options?: TrialOptions): Promise<Json | undefined> {
  const { outcome } = await tryScript(source, options);
  if (outcome.kind === "returned") return outcome.value;
  throw new Error(`the script ended otherwise: ${JSON.stringify(outcome)}`);
}

/** The error the script failed with; throws when it ended in another way. */
export async function failureOf(
  source: string,
  options?: TrialOptions,
): Promise<Extract<ScriptOutcome, { readonly kind: "failed" }>["error"]> {
  const { outcome } = await tryScript(source, options);
  if (outcome.kind === "failed") return outcome.error;
  throw new Error(`the script ended otherwise: ${JSON.stringify(outcome)}`);
}

/** Runs `test/support/script-program.ts`, or what was compiled from it, and returns what it prints. */
export async function outcomeInProcess(
  source: string,
  options: { readonly program?: string; readonly cwd?: string } = {},
): Promise<Json> {
  const program =
    options.program === undefined
      ? [process.execPath, fileURLToPath(new URL("script-program.ts", import.meta.url))]
      : [options.program];
  const child = Bun.spawn([...program, source], {
    cwd: options.cwd ?? tmpdir(),
    env: {},
    stdin: "ignore",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`the program failed: ${errors}`);
  return JSON.parse(output);
}
