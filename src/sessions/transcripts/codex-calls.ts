/** Tool calls of Codex and what came of them. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import { contentText, exitCodeOf, recordOf, textOf } from "./fields.ts";
import { type CallResult, EXCERPT_READ } from "./types.ts";

/** What the agent asked a tool for. */
export interface CodexCall {
  readonly callId: string;
  readonly name: string;
  /** Empty where it is not a command line. */
  readonly command: string;
  /** Files of a patch. */
  readonly edited: readonly string[];
  readonly text: string;
}

/** @param item `function_call`, `custom_tool_call` or `local_shell_call`. */
export function readCodexCall(item: Record<string, unknown>): CodexCall {
  const callId = textOf(item.call_id, item.id);
  const name = textOf(item.name) || (item.type === "local_shell_call" ? "local_shell" : "tool");
  if (item.type === "custom_tool_call") {
    const input = textOf(item.input);
    return { callId, name, command: "", edited: patchedFiles(input), text: input };
  }
  const given = item.arguments ?? item.action;
  const input = typeof given === "string" ? recordOf(parseJson(given)) : recordOf(given);
  const command = commandLine(input.cmd ?? input.command);
  // Older versions hand the patch to the shell.
  const edited = command.includes("*** Begin Patch") ? patchedFiles(command) : [];
  const rest = typeof given === "string" ? given : JSON.stringify(given ?? {});
  return { callId, name, command, edited, text: command || rest };
}

const SHELLS = /^(?:\/\S*\/)?(?:ba|z|da|k|fi)?sh$/;

/** A command as one line: what a shell was told to run, or the words as they are. */
function commandLine(command: unknown): string {
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return "";
  const words = command.filter((word) => typeof word === "string");
  const [shell = "", flag = "", script] = words;
  if (words.length === 3 && SHELLS.test(shell) && /^-l?c$/.test(flag)) return script ?? "";
  return words.join(" ");
}

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

function patchedFiles(patch: string): readonly string[] {
  return [...patch.matchAll(PATCHED)].map(([, path]) => (path ?? "").trim());
}

/** @param item `function_call_output` or `custom_tool_call_output`. */
export function readCodexOutput(item: Record<string, unknown>): {
  readonly text: string;
  readonly result: Omit<CallResult, "lineNo" | "timestamp">;
} {
  const { text, exitCode } = unwrapOutput(item.output);
  const failed = exitCode !== undefined && exitCode !== 0;
  return {
    text,
    result: {
      callId: textOf(item.call_id),
      failed,
      excerpt: failed ? text.slice(0, EXCERPT_READ) : "",
      ...(exitCode === undefined ? {} : { exitCode }),
    },
  };
}

const EXITED = /^(?:Process exited with code|Exit code:) (-?\d+)$/m;
const HEADER_CHARACTERS = 400;

/** Outputs come as text with a head that says how it ended, or as JSON with `metadata.exit_code`. */
function unwrapOutput(output: unknown): { text: string; exitCode?: number } {
  if (typeof output !== "string") return { text: contentText(output) };
  if (output.startsWith('{"')) {
    const parsed = parseJson(output);
    if (isRecord(parsed) && typeof parsed.output === "string") {
      return ended(parsed.output, recordOf(parsed.metadata).exit_code);
    }
  }
  return ended(output, Number(EXITED.exec(output.slice(0, HEADER_CHARACTERS))?.[1]));
}

function ended(text: string, code: unknown): { text: string; exitCode?: number } {
  return { text, ...optional({ exitCode: exitCodeOf(code) }) };
}
