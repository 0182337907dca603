/** `workflow generate`: from a task to a script that is known to be valid. */
import { resolve } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { workingDirectory } from "../run/request.ts";
import { validateScript } from "../script/validate.ts";
import { askForScript } from "./ask-for-script.ts";
import { scriptPrompt } from "./script-prompt.ts";
import {
  type ScriptWish,
  templateOfStyle,
  templateScript,
  type WorkflowTemplate,
} from "./templates/catalogue.ts";
import { assertFree, workflowFile, writeWorkflow } from "./workflow-file.ts";

export interface GenerateRequest {
  readonly task: string;
  readonly cwd?: string;
  /** File to write; a relative one begins at `cwd`. `save` goes before it. */
  readonly output?: string;
  /** Absent, empty and `auto` choose by whether there is a test command. */
  readonly style?: string;
  readonly test_command?: string;
  /** Of fixes; below 1 for 3. */
  readonly max_rounds?: number;
  /** Name of a saved workflow to write. */
  readonly save?: string;
  /** Save it at home. */
  readonly user?: boolean;
  /** Overwrite what is there. */
  readonly force?: boolean;
  /** Have the provider of agents write it. */
  readonly llm?: boolean;
  readonly codex?: string;
}

export interface GeneratedWorkflow {
  /** Absolute path of the file; empty where none was asked for. */
  readonly path: string;
  readonly script: string;
  /** As it was asked for. */
  readonly style: string;
  readonly task: string;
}

/**
 * @throws PalliumError `usage`, `style_unknown`, `invalid_id` and `workflow_exists` before anything is
 * paid for; `generation_failed` and `generated_invalid` before anything is written.
 */
export async function generateWorkflow(
  powers: WorkflowPowers,
  request: GenerateRequest,
  observer: RunObserver,
): Promise<GeneratedWorkflow> {
  const { style = "auto", test_command: testCommand = "", max_rounds: maxRounds = 0 } = request;
  const task = request.task.trim();
  if (task === "") {
    throw usageError(
      "workflow generate requires a task",
      'say what it is for: pallium workflow generate "review this branch"',
    );
  }
  const template = templateOfStyle(style, testCommand);
  const cwd = await workingDirectory(powers, request.cwd);
  const target = targetOf(powers, cwd, request);
  const writing = { what: target.what, force: request.force === true };
  if (target.path !== "") await assertFree(target.path, writing);
  const wish = { task, testCommand, maxRounds };
  const script = await scriptFor(powers, observer, request, { template, wish, cwd });
  await assertValid(script, observer);
  if (target.path !== "") await writeWorkflow(target.path, script, writing);
  return { path: target.path, script, style, task };
}

interface Target {
  readonly path: string;
  readonly what: string;
}

function targetOf(
  { environment: { home } }: WorkflowPowers,
  cwd: string,
  { save, user, output }: GenerateRequest,
): Target {
  if (save !== undefined) {
    const { name, path } = workflowFile(user === true ? home : cwd, save);
    return { path, what: `workflow "${name}"` };
  }
  if (user === true) throw usageError("--user is for --save, which names the workflow");
  if (output === undefined) return { path: "", what: "" };
  if (output === "") throw usageError("--output needs the path of a file");
  return { path: resolve(cwd, output), what: "a file" };
}

async function scriptFor(
  powers: WorkflowPowers,
  observer: RunObserver,
  { llm, codex }: GenerateRequest,
  {
    template,
    wish,
    cwd,
  }: { readonly template: WorkflowTemplate; readonly wish: ScriptWish; readonly cwd: string },
): Promise<string> {
  const fallback = templateScript(template, wish);
  if (llm !== true) return fallback;
  const prompt = scriptPrompt(template, wish, fallback);
  const script = await askForScript(powers, observer, { prompt, cwd, codex });
  return `${script}\n`;
}

async function assertValid(script: string, observer: RunObserver): Promise<void> {
  const report = await validateScript(script, "generated.workflow.js");
  for (const warning of report.warnings ?? []) observer.warn(warning);
  if (report.valid) return;
  throw new PalliumError("generated_invalid", `generated workflow is invalid: ${report.error}`, {
    hints: [
      "nothing was written; ask once more, or leave --llm out for the script of the template",
      ...(report.hints ?? []),
    ],
  });
}
