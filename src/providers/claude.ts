/** The built-in provider `claude`: one `claude -p` per call. */
import { parseClaudeOutput } from "./claude-output.ts";
import type {
  AgentTask,
  CallFiles,
  ProcessEnd,
  ProcessProvider,
  ProviderResult,
} from "./contract.ts";
import { schemaInstruction } from "./correction.ts";
import { classifyText, endedWell, processFailure, wasStopped } from "./failures.ts";
import { recoverJson } from "./json-recovery.ts";
import {
  ANSWER_LIMIT,
  answerTooLong,
  excerptText,
  readAnswer,
  viewStream,
} from "./worker-output.ts";

const WHO = 'workflow provider "claude"';

/** Without this a task left in the background wakes claude up again, and its reply to that replaces the answer. */
const ONE_ANSWER = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };

/** The envelope repeats parts of the answer, and escapes it. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;
/** Bytes of claude's own words in a message. */
const ERROR_LIMIT = 4096;

const WRITING_MODES = ["edit", "test", "check"];
const READ_TOOLS = [
  "Read,Grep,Glob,LS",
  ...["ls", "cat", "grep", "wc"].map((program) => `Bash(${program}:*)`),
].join(",");
const EDIT_PROGRAMS = [
  ...["go test", "go build", "go vet", "gofmt", "npm test", "npm run", "yarn", "pnpm"],
  ...["deno test", "deno fmt", "deno lint", "deno check", "deno task", "pytest", "cargo", "make"],
  ...["xcodebuild", "swift", "swiftlint", "ls", "cat", "grep", "wc"],
];
const EDIT_TOOLS = [
  "Read,Grep,Glob,LS,Edit,Write",
  ...EDIT_PROGRAMS.map((program) => `Bash(${program}:*)`),
].join(",");

/**
 * @param binary absolute path of the Claude Code command line.
 * @param extraTools comma list appended to what writing modes may use; empty for none.
 */
export function createClaude(binary: string, extraTools: string): ProcessProvider {
  return {
    kind: "process",
    name: "claude",
    promptText: (task) =>
      task.schema === undefined
        ? task.prompt
        : `${task.prompt}\n\n${schemaInstruction(task.schema)}`,
    invocation: (task) => ({
      argv: claudeArguments(binary, extraTools, task),
      cwd: task.cwd,
      env: ONE_ANSWER,
      notices: task.network
        ? [`agent ${task.label || "agent"}: the claude provider has no network to grant; ignored`]
        : [],
    }),
    interpret: interpretClaude,
  };
}

function claudeArguments(binary: string, extraTools: string, task: AgentTask): string[] {
  return [
    binary,
    "-p",
    "--output-format",
    "json",
    "--safe-mode",
    "--strict-mcp-config",
    ...(task.model === "" ? [] : ["--model", task.model]),
    ...toolArguments(extraTools, task.mode),
  ];
}

function toolArguments(extraTools: string, mode: string): string[] {
  if (!WRITING_MODES.includes(mode)) {
    return ["--allowedTools", READ_TOOLS, "--disallowedTools", "Edit,Write,NotebookEdit"];
  }
  return [
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    extraTools.trim() === "" ? EDIT_TOOLS : `${EDIT_TOOLS},${extraTools}`,
    "--disallowedTools",
    "Bash(curl:*),Bash(gh:*)",
  ];
}

async function interpretClaude(
  task: AgentTask,
  files: CallFiles,
  end: ProcessEnd,
  timeoutSeconds: number,
): Promise<ProviderResult> {
  const stdout = await readAnswer(files.stdout, OUTPUT_LIMIT);
  const printed = stdout.kind === "text" ? stdout.text : "";
  const said = parseClaudeOutput(printed);
  const { usage } = said;
  const spent = usage === undefined ? {} : { usage };
  if (said.refused && !wasStopped(end)) {
    const reason = excerptText(said.text, ERROR_LIMIT).trim() || "no reason given";
    return { ok: false, outcome: "refused", message: `${WHO} refused: ${reason}`, ...spent };
  }
  if (!endedWell(end)) {
    const stderr = await viewStream(files.stderr);
    return processFailure({
      who: WHO,
      end,
      timeoutSeconds,
      stderr: excerptText(stderr.ends, ERROR_LIMIT),
      reason: said.error,
      lines: [...said.text.split("\n"), ...stderr.lines],
      output: excerptText(said.text, ERROR_LIMIT),
      usage,
    });
  }
  if (stdout.kind === "tooLong") return answerTooLong(WHO, stdout.bytes);
  if (printed === "") {
    return { ok: false, outcome: "empty", message: `${WHO} produced no output: empty output` };
  }
  if (said.error !== undefined) {
    const error = excerptText(said.error, ERROR_LIMIT);
    const message = `${WHO} produced no output: claude CLI reported an error: ${error}`;
    return { ok: false, ...classifyText(said.error), message, ...spent };
  }
  if (said.text.trim() === "") return { ...withoutAnswer(said.deniedTools), ...spent };
  const text = task.schema === undefined ? said.text : recoverJson(said.text);
  const bytes = Buffer.byteLength(text);
  return bytes > ANSWER_LIMIT ? answerTooLong(WHO, bytes) : { ok: true, text, ...spent };
}

function withoutAnswer(deniedTools: readonly string[]): ProviderResult {
  if (deniedTools.length === 0) {
    return { ok: false, outcome: "empty", message: `${WHO} produced no output: empty result` };
  }
  const tools = excerptText(deniedTools.join(", "), ERROR_LIMIT);
  const message = `${WHO} was not permitted to use ${tools} and gave no answer`;
  return { ok: false, outcome: "permission_denied", message };
}
