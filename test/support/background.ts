/** Runs in processes of their own, which outlive the command that starts them. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { processEnds } from "./processes.ts";
import type { WorkflowHome } from "./workflow.ts";

export interface BackgroundOptions {
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** A run whose runner is at work, or was. Disposed, the runner is gone. */
export interface Background extends AsyncDisposable {
  readonly document: { readonly id: string; readonly owned_session_id: string };
  readonly runner: number;
  /** What the run came to, once its runner is gone. */
  ended(): Promise<Snapshot>;
}

/** Starts `workflow run --background` on a script, whose file is gone when this resolves. */
export async function startBackground(
  home: WorkflowHome,
  source: string,
  { id = "wf-test", env = {}, flags = [] }: BackgroundOptions = {},
): Promise<Background> {
  const path = join(home.directory, `${id}.js`);
  await writeFile(path, source);
  return background(home, ["run", "--id", id, "--script", path, ...flags], env);
}

export async function background(
  home: WorkflowHome,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Background> {
  const document = await home.json<Background["document"]>(
    ["workflow", ...args, "--background"],
    env,
  );
  const show = () => home.json<Snapshot>(["workflow", "show", document.id]);
  const { run } = await show();
  const runner = run.owner_pid ?? 0;
  return {
    document,
    runner,
    ended: async () => {
      await processEnds(runner);
      return show();
    },
    [Symbol.asyncDispose]: async () => {
      await home.pallium(["workflow", "stop", document.id]);
      await processEnds(runner);
    },
  };
}
