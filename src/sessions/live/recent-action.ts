/** What an agent asked a tool for, in one line, and where. */
import { isAbsolute, join } from "node:path";
import { parseJson } from "../../lib/json.ts";
import { readCodexCall } from "../transcripts/codex-calls.ts";
import { recordOf, recordsOf, textOf } from "../transcripts/fields.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";

export interface Action {
  readonly text: string;
  /** As the agent wrote it; empty where it named none. */
  readonly workdir: string;
}

/** @returns `undefined` for a record that asks for no tool. */
export function actionOf(
  provider: TranscriptProvider,
  record: Record<string, unknown>,
): Action | undefined {
  return provider === "codex" ? codexAction(record) : claudeAction(record);
}

const CODEX_CALLS = ["function_call", "custom_tool_call", "local_shell_call"];

function codexAction(record: Record<string, unknown>): Action | undefined {
  const item = recordOf(record.payload ?? record);
  if (!CODEX_CALLS.includes(textOf(item.type))) return undefined;
  const { name, command, edited } = readCodexCall(item);
  const given = item.arguments ?? item.action;
  const input = typeof given === "string" ? recordOf(parseJson(given)) : recordOf(given);
  const what = command || edited.join(", ") || textOf(input.message, input.query);
  return {
    text: what === "" ? name : `${name}: ${what}`,
    workdir: textOf(input.workdir, input.working_directory) || enteredFolder(command),
  };
}

function claudeAction(record: Record<string, unknown>): Action | undefined {
  if (record.type !== "assistant") return undefined;
  const content = recordsOf(recordOf(record.message).content);
  const use = content.findLast(({ type }) => type === "tool_use");
  if (use === undefined) return undefined;
  const name = textOf(use.name) || "tool";
  const input = recordOf(use.input);
  const command = textOf(input.command, input.cmd);
  const what =
    textOf(input.description) ||
    command ||
    textOf(input.file_path, input.path, input.notebook_path);
  return { text: what === "" ? name : `${name}: ${what}`, workdir: enteredFolder(command) };
}

const ENTERED = /^\s*cd\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|"'$`]+))\s*&&/;

/** The folder of a leading `cd folder &&`. */
function enteredFolder(command: string): string {
  const [, ...names] = ENTERED.exec(command) ?? [];
  return names.find((name) => name !== undefined) ?? "";
}

/** An absolute path; the session's own folder where nothing else is known. */
export function placedIn(cwd: string, workdir: string): string {
  if (workdir === "" || workdir.startsWith("~")) return cwd;
  return isAbsolute(workdir) || cwd === "" ? workdir : join(cwd, workdir);
}
