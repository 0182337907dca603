/** Configured providers: any shell command that reads a prompt and writes an answer. */
import { optional } from "../lib/optional.ts";
import type {
  AgentTask,
  CallFiles,
  ProcessProvider,
  ProviderFailure,
  ProviderResult,
} from "./contract.ts";
import { conversationOf, conversationText } from "./conversation.ts";
import { endedWell, processFailure } from "./failures.ts";
import { readUsageFile, type UsageReport } from "./usage.ts";
import type { CallVariable } from "./worker-environment.ts";
import { answerTooLong, readAnswer, viewStream } from "./worker-output.ts";

/** Most UTF-8 bytes of a prompt in the environment: above, starting the process could fail. */
const PROMPT_VARIABLE_LIMIT = 100_000;

/** @param command shell text from the user's own environment, run with `sh -c` in the task's cwd. */
export function createCommand(name: string, command: string): ProcessProvider {
  const who = `workflow provider "${name}"`;
  return {
    kind: "process",
    name,
    promptText: (task) => task.prompt,
    invocation: (task, files) => ({
      argv: ["/bin/sh", "-c", command],
      cwd: task.cwd,
      env: commandVariables(task, files),
    }),
    interpret: async (_task, files, end, timeoutSeconds): Promise<ProviderResult> => {
      const report = await readUsageFile(files.usage, who);
      if (endedWell(end)) return answerOf(who, name, files, report);
      const stdout = await viewStream(files.stdout);
      const stderr = await viewStream(files.stderr);
      return processFailure({
        who,
        end,
        timeoutSeconds,
        stderr: stderr.excerpt,
        lines: [...stdout.lines, ...stderr.lines],
        output: stdout.ends,
        usage: report.usage,
        notes: report.notes,
      });
    },
  };
}

async function answerOf(
  who: string,
  provider: string,
  files: CallFiles,
  { usage, session = "", notes }: UsageReport,
): Promise<ProviderResult> {
  const rest = {
    ...(usage === undefined ? {} : { usage }),
    ...(notes.length === 0 ? {} : { notes }),
  };
  for (const path of [files.output, files.stdout]) {
    const answer = await readAnswer(path);
    if (answer.kind === "tooLong") return { ...answerTooLong(who, answer.bytes), ...rest };
    if (answer.kind === "text" && answer.text !== "") {
      const conversation = optional({ session: conversationText({ provider, id: session }) });
      return { ok: true, text: answer.text, ...rest, ...conversation };
    }
  }
  const empty: ProviderFailure = {
    ok: false,
    outcome: "empty",
    message: `${who} produced no output`,
  };
  return { ...empty, ...rest };
}

function commandVariables(task: AgentTask, files: CallFiles): Record<string, string> {
  const values: Record<Exclude<CallVariable, "PROMPT">, string> = {
    RUN_ID: task.runId,
    AGENT_ID: task.agentId,
    PROVIDER: task.provider,
    LABEL: task.label,
    MODE: task.mode,
    MODEL: task.model,
    EFFORT: task.effort,
    SESSION: conversationOf(task)?.id ?? "",
    REPO: task.repo,
    CWD: task.cwd,
    PROMPT_FILE: files.prompt,
    OUTPUT_FILE: files.output,
    SCHEMA_FILE: files.schema ?? "",
    USAGE_FILE: files.usage,
    NETWORK: task.network ? "1" : "0",
  };
  return Object.fromEntries(
    Object.entries({ ...values, ...promptVariable(task.prompt) }).map(([name, value]) => [
      `PALLIUM_WORKFLOW_${name}`,
      value.replaceAll("\0", ""),
    ]),
  );
}

/** A prompt that is too long or no C string is in the prompt file only. */
function promptVariable(prompt: string): { PROMPT?: string } {
  const fits = Buffer.byteLength(prompt) <= PROMPT_VARIABLE_LIMIT && !prompt.includes("\0");
  return fits ? { PROMPT: prompt } : {};
}
