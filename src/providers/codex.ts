/** The built-in provider `codex`: one `codex exec` per call. */

import { readCodexEvents } from "./codex-events.ts";
import type { AgentTask, CallFiles, ProcessProvider, ProviderResult } from "./contract.ts";
import { endedWell, processFailure } from "./failures.ts";
import { answerTooLong, readAnswer, viewStream } from "./worker-output.ts";

const WHO = "codex agent";
const WRITING_MODES = ["edit", "test", "check"];

/** @param binary absolute path of the Codex command line. */
export function createCodex(binary: string): ProcessProvider {
  return {
    kind: "process",
    name: "codex",
    promptText: (task) => task.prompt,
    invocation: (task, files) => ({
      argv: codexArguments(binary, task, files),
      cwd: task.cwd,
      env: {},
    }),
    interpret: async (_task, files, end, timeoutSeconds): Promise<ProviderResult> => {
      const events = await readCodexEvents(files.stdout);
      const answer = await readAnswer(files.output);
      const { usage } = events;
      if (!endedWell(end)) {
        const stderr = await viewStream(files.stderr);
        return processFailure({
          who: WHO,
          end,
          timeoutSeconds,
          stderr: stderr.excerpt,
          reason: events.error,
          lines: [...events.plainLines, ...stderr.lines],
          output: answer.kind === "text" ? answer.text : events.plainLines.join("\n"),
          usage,
        });
      }
      const spent = usage === undefined ? {} : { usage };
      if (answer.kind === "tooLong") return { ...answerTooLong(WHO, answer.bytes), ...spent };
      if (answer.kind === "missing" || answer.text === "") {
        const message = `${WHO} produced no output${events.error ? `: ${events.error}` : ""}`;
        return { ok: false, outcome: "empty", message, ...spent };
      }
      return { ok: true, text: answer.text, ...spent };
    },
  };
}

function codexArguments(binary: string, task: AgentTask, files: CallFiles): string[] {
  return [
    binary,
    "exec",
    "--cd",
    task.cwd,
    "--skip-git-repo-check",
    "--output-last-message",
    files.output,
    "--json",
    ...sandboxArguments(task),
    ...(task.model === "" ? [] : ["--model", task.model]),
    ...(files.schema === undefined ? [] : ["--output-schema", files.schema]),
    "-",
  ];
}

function sandboxArguments({ mode, network }: AgentTask): string[] {
  if (!network && !WRITING_MODES.includes(mode)) return ["--sandbox", "read-only"];
  const access = `sandbox_workspace_write.network_access=${network}`;
  return ["--sandbox", "workspace-write", "-c", access];
}
