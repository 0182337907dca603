/** What a provider is told that is to write a workflow script. */
import type { ScriptWish, WorkflowTemplate } from "./templates/catalogue.ts";
import { TOOLS } from "./tools-catalogue.ts";

/** @param fallback the script of the template, which is right already. */
export function scriptPrompt(
  template: WorkflowTemplate,
  { task, testCommand, maxRounds }: ScriptWish,
  fallback: string,
): string {
  const wanted = {
    task,
    style: template.style,
    test_command: testCommand,
    ...(maxRounds < 1 ? {} : { max_rounds: maxRounds }),
  };
  return `Write one Pallium workflow script for the task below. You may read the repository you are in; change nothing.

Answer with the script alone: no explanation, no Markdown.

Rules of the language:
- JavaScript in one file. Top-level await and return are allowed; import, require, timers, fetch and console do not exist.
- The first statement is \`export const meta = { name, description, phases }\`, a pure literal.
- agent(), check(), verify.*, pallium.*, parallel() and pipeline() return promises: await them.
- Math.random(), Date.now() and new Date() without arguments throw.
- Agents that only look have mode "read-only"; give each a label, and a schema where its answer is used as data.
- What parallel() and pipeline() return has null for each item that failed.

What is wanted, as JSON:
${JSON.stringify(wanted, null, 2)}

What scripts can call, as JSON:
${JSON.stringify(TOOLS, null, 1)}

The template of this style, as JSON:
${JSON.stringify(template, null, 2)}

A script that would do. Make a better one for this task, or answer with it as it is:
${fallback}`;
}
