/** Transcripts of Claude Code: `projects/<folder>/<session>.jsonl`, helpers' below `<session>/subagents`. */
import { statusAfter } from "./claude-status.ts";
import {
  addCount,
  contentText,
  countOf,
  exitCodeOf,
  momentOf,
  recordOf,
  recordsOf,
  textOf,
} from "./fields.ts";
import { asTyped, isNoise } from "./noise.ts";
import {
  type CallResult,
  type CommandRun,
  EXCERPT_READ,
  emptyHeader,
  type FileTouch,
  NO_FACTS,
  type RecordFacts,
  type SessionHeader,
  type TranscriptMessage,
  type TranscriptReader,
  type UsageFact,
} from "./types.ts";
import { uidAt } from "./uids.ts";

/** Items of a line are numbered within it. */
const ITEMS_PER_LINE = 1000;

/** Records about the program, its requests and its screen, not about the conversation. */
const BOOKKEEPING = new Set([
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "agent-setting",
  "atis-latch",
  "attachment",
  "file-history-snapshot",
  "mode",
  "permission-mode",
  "progress",
  "tools-used",
]);
const EDITING = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

interface ClaudeState {
  readonly header: SessionHeader;
  /** Whether the title is one that the user gave: the agent's own do not replace it. */
  titledByUser: boolean;
  /** A message is written once per block, each with the usage of all: it counts once. */
  lastUsageId: string;
  /** Whether the program's own sum of tokens was read: it counts requests that left no message. */
  summed: boolean;
}

/** @param fallbackId id where no record names one: the name of the file without its extension. */
export function claudeReader(fallbackId: string, earlier?: unknown): TranscriptReader {
  const state = (earlier as ClaudeState | undefined) ?? {
    header: { ...emptyHeader("claude", fallbackId), source: "claude", modelProvider: "anthropic" },
    titledByUser: false,
    lastUsageId: "",
    summed: false,
  };
  return {
    header: state.header,
    state: () => state,
    read: (record, line) => {
      const type = textOf(record.type) || "unknown";
      const { header } = state;
      addCount(header.eventCounts, type);
      readCommon(header, record);
      return readRecord(state, type, record, line);
    },
  };
}

function readCommon(header: SessionHeader, record: Record<string, unknown>): void {
  const agentId = textOf(record.agentId);
  const sessionId = textOf(record.sessionId);
  if (agentId !== "" && record.isSidechain === true) {
    header.id = `agent-${agentId}`;
    header.parentId = sessionId;
  } else if (sessionId !== "" && header.parentId === "") header.id = sessionId;
  header.cwd ||= textOf(record.cwd);
  header.cliVersion ||= textOf(record.version);
  header.gitBranch ||= textOf(record.gitBranch);
  const timestamp = momentOf(record.timestamp);
  if (timestamp === "") return;
  header.createdAt ||= timestamp;
  if (timestamp > header.updatedAt) header.updatedAt = timestamp;
}

function readRecord(
  state: ClaudeState,
  type: string,
  record: Record<string, unknown>,
  line: number,
): RecordFacts {
  const { header } = state;
  switch (type) {
    case "user":
    case "assistant":
      return readMessage(state, type, record, line);
    case "ai-title":
      if (!state.titledByUser) header.title = textOf(record.aiTitle, record.title);
      return NO_FACTS;
    case "custom-title":
      header.title = textOf(record.customTitle, record.title) || header.title;
      state.titledByUser = true;
      return NO_FACTS;
    case "agent-name":
      header.title ||= textOf(record.agentName);
      return NO_FACTS;
    case "summary":
      header.title ||= textOf(record.summary);
      return NO_FACTS;
    case "cost-state":
      readSum(state, recordOf(record.modelUsage));
      return NO_FACTS;
    case "last-prompt":
    case "queue-operation":
    case "system":
      return NO_FACTS;
    default:
      return BOOKKEEPING.has(type) ? NO_FACTS : { ...NO_FACTS, unknown: true };
  }
}

function readMessage(
  state: ClaudeState,
  type: "user" | "assistant",
  record: Record<string, unknown>,
  line: number,
): RecordFacts {
  const { header } = state;
  const message = recordOf(record.message);
  const timestamp = momentOf(record.timestamp);
  const uuid = textOf(record.uuid);
  const usage =
    type === "assistant"
      ? readUsage(state, message, timestamp, uuid || `${header.id}:${line}`)
      : [];
  const items =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : recordsOf(message.content);
  if (record.isMeta !== true) header.status = statusAfter(type, message, items);
  const messages: TranscriptMessage[] = [];
  const touches: FileTouch[] = [];
  const commands: CommandRun[] = [];
  const results: CallResult[] = [];
  for (const [index, item] of items.entries()) {
    const at = { lineNo: line * ITEMS_PER_LINE + index, timestamp };
    const uid = uuid === "" ? "" : uidAt(timestamp, `${uuid}:${index}`);
    const kind = textOf(item.type) || "text";
    if (kind === "tool_use") {
      const call = readToolUse(item);
      messages.push({ ...at, uid, role: "tool", kind: call.name, text: call.text });
      if (call.path !== "") {
        touches.push({ ...at, path: call.path, kind: EDITING.has(call.name) ? "edited" : "read" });
      }
      if (call.command !== "") commands.push({ ...at, callId: call.id, command: call.command });
    } else if (kind === "tool_result") {
      const text = contentText(item.content);
      const failed = item.is_error === true;
      const callId = textOf(item.tool_use_id);
      messages.push({ ...at, uid, role: "tool", kind: "tool_result", text });
      results.push({
        ...at,
        callId,
        failed,
        excerpt: failed ? text.slice(0, EXCERPT_READ) : "",
        ...exitOf(text, failed),
      });
    } else {
      const said = readText(header, type, record, kind, item);
      if (said !== undefined) messages.push({ ...at, uid, ...said });
    }
  }
  return { messages, touches, commands, results, usage, unknown: false };
}

/** @param recordId stands for the id of a message that has none. */
function readUsage(
  state: ClaudeState,
  message: Record<string, unknown>,
  timestamp: string,
  recordId: string,
): readonly UsageFact[] {
  const { header } = state;
  const model = textOf(message.model);
  if (model !== "" && model !== "<synthetic>") header.model ||= model;
  const id = textOf(message.id);
  if (id === state.lastUsageId && id !== "") return [];
  state.lastUsageId = id;
  const usage = recordOf(message.usage);
  const tokens =
    countOf(usage.input_tokens) +
    countOf(usage.cache_creation_input_tokens) +
    countOf(usage.cache_read_input_tokens) +
    countOf(usage.output_tokens);
  if (!state.summed) header.tokensUsed += tokens;
  return tokens === 0 ? [] : [{ uid: uidAt(timestamp, id || recordId), tokens }];
}

function readSum(state: ClaudeState, byModel: Record<string, unknown>): void {
  let tokens = 0;
  for (const usage of Object.values(byModel).map(recordOf)) {
    tokens +=
      countOf(usage.inputTokens) +
      countOf(usage.outputTokens) +
      countOf(usage.cacheReadInputTokens) +
      countOf(usage.cacheCreationInputTokens);
  }
  state.summed = true;
  state.header.tokensUsed = tokens;
}

type Said = Pick<TranscriptMessage, "role" | "kind" | "text">;

/** `undefined` for what is neither the user's nor the agent's. */
function readText(
  header: SessionHeader,
  role: "user" | "assistant",
  record: Record<string, unknown>,
  kind: string,
  item: Record<string, unknown>,
): Said | undefined {
  if (kind === "thinking") {
    const text = textOf(item.thinking, item.text);
    return text === "" ? undefined : { role: "assistant", kind, text };
  }
  const text = asTyped(textOf(item.text, contentText(item.content)));
  if (text === "" || record.isMeta === true || isNoise(text)) return undefined;
  if (record.isCompactSummary === true) return { role: "assistant", kind: "summary", text };
  if (role === "user") header.firstUserMessage ||= text;
  else header.lastAgentMessage = text;
  return { role, kind: "message", text };
}

interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly command: string;
  readonly text: string;
}

function readToolUse(item: Record<string, unknown>): ToolUse {
  const input = recordOf(item.input);
  const command = textOf(input.command, input.cmd);
  const path = textOf(input.file_path, input.path, input.notebook_path);
  const name = textOf(item.name) || "tool";
  const text =
    command || (EDITING.has(name) ? editText(path, input) : path || JSON.stringify(input));
  return { id: textOf(item.id), name, path, command, text };
}

/** A change as its path and what is in it, the old before the new. */
function editText(path: string, input: Record<string, unknown>): string {
  const changes = [input, ...recordsOf(input.edits)].flatMap((change) => [
    textOf(change.old_string),
    textOf(change.new_string, change.content, change.new_source),
  ]);
  return [path, ...changes].filter((part) => part !== "").join("\n");
}

function exitOf(text: string, failed: boolean): { exitCode?: number } {
  const exitCode = exitCodeOf(Number(/^Exit code (\d+)/.exec(text)?.[1]));
  if (exitCode !== undefined) return { exitCode };
  return failed ? {} : { exitCode: 0 };
}
