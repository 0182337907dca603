/** The built-in provider `codex`: one `codex exec` per call. */
import { readCodexEvents } from "./codex-events.ts";
import {
  type AgentTask,
  type CallFiles,
  type ProcessEnd,
  type ProcessProvider,
  type ProviderResult,
  WORKING_MODES,
} from "./contract.ts";
import { accountOf, resumable } from "./conversation.ts";
import { endedWell, lostSession, processFailure } from "./failures.ts";
import { answerTooLong, readAnswer, viewStream } from "./worker-output.ts";

const NAME = "codex";
const WHO = "codex agent";

/** @param binary absolute path of the Codex command line. */
export function createCodex(binary: string): ProcessProvider {
  return {
    kind: "process",
    name: NAME,
    promptText: (task) => task.prompt,
    invocation: (task, files) => ({
      argv: codexArguments(binary, task, files),
      cwd: task.cwd,
      env: {},
    }),
    interpret: interpretCodex,
  };
}

async function interpretCodex(
  task: AgentTask,
  files: CallFiles,
  end: ProcessEnd,
  timeoutSeconds: number,
): Promise<ProviderResult> {
  const events = await readCodexEvents(files.stdout);
  const answer = await readAnswer(files.output);
  const spent = accountOf(task, { provider: NAME, id: events.thread ?? "", total: events.usage });
  if (!endedWell(end)) {
    const stderr = await viewStream(files.stderr);
    return {
      ...processFailure({
        who: WHO,
        end,
        timeoutSeconds,
        stderr: stderr.excerpt,
        reason: events.error,
        lines: [...events.plainLines, ...stderr.lines],
        output: answer.kind === "text" ? answer.text : events.plainLines.join("\n"),
      }),
      ...spent,
      ...lostSession(resumable(task), end, events.thread !== undefined),
    };
  }
  if (answer.kind === "tooLong") return { ...answerTooLong(WHO, answer.bytes), ...spent };
  if (answer.kind === "missing" || answer.text === "") {
    const message = `${WHO} produced no output${events.error ? `: ${events.error}` : ""}`;
    return { ok: false, outcome: "empty", message, ...spent };
  }
  return { ok: true, text: answer.text, ...spent };
}

function codexArguments(binary: string, task: AgentTask, files: CallFiles): string[] {
  const earlier = resumable(task);
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
    ...(task.network ? [] : ["-c", 'web_search="disabled"']),
    ...(task.model === "" ? [] : ["--model", task.model]),
    ...(task.effort === "" ? [] : ["-c", `model_reasoning_effort=${JSON.stringify(task.effort)}`]),
    ...(files.schema === undefined ? [] : ["--output-schema", files.schema]),
    ...(earlier === undefined ? [] : ["resume", earlier.id]),
    "-",
  ];
}

/** Writes are confined to the working tree, and to where programs keep temporary files. */
function sandboxArguments({ mode, network, cwd, root }: AgentTask): string[] {
  if (!network && !WORKING_MODES.includes(mode)) return ["--sandbox", "read-only"];
  const access = `sandbox_workspace_write.network_access=${network}`;
  const above = root === cwd ? [] : ["--add-dir", root];
  return ["--sandbox", "workspace-write", "-c", access, ...above];
}
