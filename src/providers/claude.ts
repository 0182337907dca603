/** The built-in provider `claude`: one `claude -p` per call. */
import { readTail } from "../platform/bounded-read.ts";
import { parseClaudeOutput } from "./claude-output.ts";
import {
  type AgentTask,
  type CallFiles,
  type ProcessEnd,
  type ProcessProvider,
  type ProviderResult,
  WORKING_MODES,
} from "./contract.ts";
import { accountOf, resumable } from "./conversation.ts";
import { schemaInstruction } from "./correction.ts";
import { classifyText, endedWell, lostSession, processFailure, wasStopped } from "./failures.ts";
import { recoverJson } from "./json-recovery.ts";
import {
  ANSWER_LIMIT,
  type AnswerFile,
  answerTooLong,
  EXCERPT_BYTES,
  excerptText,
  readAnswer,
  viewStream,
} from "./worker-output.ts";

const NAME = "claude";
const WHO = 'workflow provider "claude"';

/** Without this a task left in the background wakes claude up again, and its reply to that replaces the answer. */
const ONE_ANSWER = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" };

/** Of what is printed, the end that is read: the result, which repeats parts of the answer, and escapes it. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** Programs that a worker which may run some may run. */
const PROGRAMS = [
  ...["go test", "go build", "go vet", "gofmt", "npm test", "npm run", "yarn", "pnpm"],
  ...["deno test", "deno fmt", "deno lint", "deno check", "deno task", "pytest", "cargo", "make"],
  ...["xcodebuild", "swift", "swiftlint", "ls", "cat", "grep", "wc"],
];
/** These speak to the network with what the user is logged in to, and stay shut also where it is granted. */
const NEVER_PROGRAMS = ["curl", "gh"];
const NETWORK_PROGRAMS = ["wget", "ssh", "scp", "nc"];

/** Claude takes it for one that reads, wherever: `--files0-from` names a file to read names from. */
const READS_ANYWHERE = ["wc"];

const READ = ["Read", "Grep", "Glob"];
const WRITE = ["Edit", "Write", "NotebookEdit"];
const WEB = ["WebFetch", "WebSearch"];

/**
 * @param binary absolute path of the Claude Code command line.
 * @param extraTools comma list appended to what writing modes may use; empty for none.
 */
export function createClaude(binary: string, extraTools: string): ProcessProvider {
  return {
    kind: "process",
    name: NAME,
    promptText: (task) =>
      task.schema === undefined
        ? task.prompt
        : `${task.prompt}\n\n${schemaInstruction(task.schema)}`,
    invocation: (task) => ({
      argv: claudeArguments(binary, extraTools, task),
      cwd: task.cwd,
      env: { ...ONE_ANSWER, ...effortVariable(task) },
    }),
    interpret: interpretClaude,
  };
}

function claudeArguments(binary: string, extraTools: string, task: AgentTask): string[] {
  const earlier = resumable(task);
  return [
    binary,
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--safe-mode",
    "--strict-mcp-config",
    ...(task.model === "" ? [] : ["--model", task.model]),
    ...(task.effort === "" ? [] : [`--effort=${task.effort}`]),
    ...(earlier === undefined ? [] : [`--resume=${earlier.id}`]),
    ...(task.root === task.cwd ? [] : ["--add-dir", task.root]),
    ...toolArguments(extraTools, task),
  ];
}

/** The user's own variable would win over the option. */
function effortVariable({ effort }: AgentTask): Readonly<Record<string, string>> {
  return effort === "" ? {} : { CLAUDE_CODE_EFFORT_LEVEL: effort };
}

/**
 * Reads inside the working tree need no rule, nor do commands that read there, such as `git diff`, nor
 * edits there beside `acceptEdits`: a rule that names the tool alone would open the whole disk to it.
 */
function toolArguments(extraTools: string, { mode, network }: AgentTask): string[] {
  const web = network ? WEB : [];
  const shut = network ? [] : WEB;
  const refused = network ? NEVER_PROGRAMS : [...NEVER_PROGRAMS, ...NETWORK_PROGRAMS];
  if (!WORKING_MODES.includes(mode)) {
    const programs = [...refused, ...READS_ANYWHERE].map(program);
    return [
      ...["--permission-mode", "dontAsk", "--tools", [...READ, "Bash", ...web].join(",")],
      ...(network ? ["--allowedTools", web.join(",")] : []),
      ...["--disallowedTools", [...WRITE, ...shut, ...programs].join(",")],
    ];
  }
  const allowed = [...READ, "LS", ...PROGRAMS.map(program), ...web];
  const extra = extraTools.trim() === "" ? [] : [extraTools];
  return [
    ...["--permission-mode", mode === "edit" ? "acceptEdits" : "dontAsk"],
    ...["--allowedTools", [...allowed, ...extra].join(",")],
    "--disallowedTools",
    [...(mode === "edit" ? [] : WRITE), ...shut, ...refused.map(program)].join(","),
  ];
}

function program(words: string): string {
  return `Bash(${words}:*)`;
}

async function interpretClaude(
  task: AgentTask,
  files: CallFiles,
  end: ProcessEnd,
  timeoutSeconds: number,
): Promise<ProviderResult> {
  const stdout = await readAnswer(files.stdout, OUTPUT_LIMIT);
  const isLong = stdout.kind === "tooLong";
  const printed = isLong ? await readTail(files.stdout, OUTPUT_LIMIT) : textOf(stdout);
  const said = parseClaudeOutput(printed);
  const spent = accountOf(task, { provider: NAME, id: said.session ?? "", total: said.usage });
  if (said.refused && !wasStopped(end)) {
    const reason = excerptText(said.text, EXCERPT_BYTES).trim() || "no reason given";
    return { ok: false, outcome: "refused", message: `${WHO} refused: ${reason}`, ...spent };
  }
  if (!endedWell(end)) {
    const stderr = await viewStream(files.stderr);
    return {
      ...processFailure({
        who: WHO,
        end,
        timeoutSeconds,
        stderr: excerptText(stderr.ends, EXCERPT_BYTES),
        reason: said.error,
        lines: [...said.text.split("\n"), ...stderr.lines],
        output: excerptText(said.text, EXCERPT_BYTES),
      }),
      ...spent,
      ...lostSession(resumable(task), end, said.asked),
    };
  }
  if (isLong && !said.isResult) return answerTooLong(WHO, stdout.bytes);
  if (printed === "") {
    return { ok: false, outcome: "empty", message: `${WHO} produced no output: empty output` };
  }
  if (said.error !== undefined) {
    const error = excerptText(said.error, EXCERPT_BYTES);
    const message = `${WHO} produced no output: claude CLI reported an error: ${error}`;
    return { ok: false, ...classifyText(said.error), message, ...spent };
  }
  if (said.text.trim() === "") return { ...withoutAnswer(said.deniedTools), ...spent };
  const text = task.schema === undefined ? said.text : recoverJson(said.text);
  const bytes = Buffer.byteLength(text);
  if (bytes > ANSWER_LIMIT) return { ...answerTooLong(WHO, bytes), ...spent };
  const notes = await effortNotes(task, files);
  return { ok: true, text, ...spent, ...notes };
}

function textOf(file: AnswerFile): string {
  return file.kind === "text" ? file.text : "";
}

/** An effort that claude does not know is told on stderr alone; it answers all the same. */
async function effortNotes({ effort }: AgentTask, { stderr }: CallFiles) {
  if (effort === "") return {};
  const { lines } = await viewStream(stderr);
  const told = lines.filter((line) => line.includes("--effort"));
  return told.length === 0 ? {} : { notes: told.map((line) => `${WHO}: ${line.trim()}`) };
}

function withoutAnswer(deniedTools: readonly string[]): ProviderResult {
  if (deniedTools.length === 0) {
    return { ok: false, outcome: "empty", message: `${WHO} produced no output: empty result` };
  }
  const tools = excerptText(deniedTools.join(", "), EXCERPT_BYTES);
  const message = `${WHO} was not permitted to use ${tools} and gave no answer`;
  return { ok: false, outcome: "permission_denied", message };
}
