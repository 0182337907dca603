/** Runs workflow scripts through the real program, from source, in a home of their own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { type CliHome, type CliResult, cliHome } from "./cli.ts";

export interface ScriptRun extends CliResult {
  /** The document, where one was printed. */
  readonly snapshot: Snapshot;
  /** The run's result, parsed where it is JSON. */
  readonly result: unknown;
}

export interface WorkflowHome extends CliHome {
  /** Writes the script to a file and runs it with `--json`. */
  script(source: string, options?: ScriptOptions): Promise<ScriptRun>;
  /** Any other command, its JSON parsed. */
  json<T>(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<T>;
}

export interface ScriptOptions {
  readonly id?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answer of the stub; without it real providers are used. */
  readonly stub?: string;
  readonly cwd?: string;
}

export async function workflowHome(): Promise<WorkflowHome> {
  const home = await cliHome();
  return {
    ...home,
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    script: (source, options = {}) => scriptRun(home, source, options),
    json: async <T>(args: readonly string[], env = {}) => {
      const { stdout, stderr } = await home.pallium([...args, "--json"], { env });
      if (stdout === "") throw new Error(`no document: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
  };
}

/** Writes the script to a file and runs it with `--json`. */
export async function scriptRun(
  home: CliHome,
  source: string,
  { id = "wf-test", flags = [], env = {}, stub, cwd }: ScriptOptions,
): Promise<ScriptRun> {
  const path = join(home.directory, "script.js");
  await writeFile(path, source);
  const outcome = await home.pallium(
    ["workflow", "run", "--id", id, "--script", path, "--json", ...flags],
    {
      env: { ...(stub === undefined ? {} : { PALLIUM_WORKFLOW_AGENT_STUB: stub }), ...env },
      ...(cwd === undefined ? {} : { cwd }),
    },
  );
  const snapshot = outcome.stdout === "" ? undefined : (JSON.parse(outcome.stdout) as Snapshot);
  return { ...outcome, snapshot: snapshot as Snapshot, result: parsed(snapshot?.run.result) };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Variables that configure `name` as a shell command. */
export function provider(name: string, command: string): Record<string, string> {
  return { [`PALLIUM_WORKFLOW_PROVIDER_${name.toUpperCase()}_COMMAND`]: command };
}

/** The error document that a failed command with `--json` leaves as the last line of stderr. */
export function errorOf(stderr: string): { code: string; message: string; hints: string[] } {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  return JSON.parse(last).error;
}
