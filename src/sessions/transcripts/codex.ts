/**
 * Rollouts of Codex: `{type, timestamp, payload}` per line. Two kinds of records tell the same
 * conversation: `response_item`, what the model saw and said, and `event_msg`, what the program showed.
 */
import { quickHash } from "../../platform/hash.ts";
import { readCodexCall, readCodexOutput } from "./codex-calls.ts";
import { helperName, withoutEnvelope } from "./codex-helpers.ts";
import { addCount, contentText, countOf, momentOf, recordOf, textOf } from "./fields.ts";
import { asTyped, isNoise } from "./noise.ts";
import {
  emptyHeader,
  type FileTouch,
  type MessageRole,
  NO_FACTS,
  type RecordFacts,
  type SessionHeader,
  type TranscriptReader,
  type UsageFact,
} from "./types.ts";
import { firstUid, nextUid } from "./uids.ts";

/** Texts of one turn that are remembered, to hear the second telling of each. */
const REMEMBERED = 64;

interface CodexState {
  readonly header: SessionHeader;
  /** How it is called as a helper of another's; empty or absent for a session of a user's. */
  helper?: string;
  /** Whether the session's own `session_meta` was read; a fork's is followed by its origin's. */
  named: boolean;
  /** Whether what is read is the copy of its origin that a fork or a helper begins with. */
  copying: boolean;
  /**
   * Uid that stands for everything that was said so far, from the first message of the origin on: a
   * fork that begins with a copy of its origin comes through the same values.
   */
  chain: string;
  /** Texts of this turn that were told once, by which kind of record. */
  told: (readonly [text: string, by: Telling])[];
  /** The last text of the agent in this turn, as a key: the turn's end tells it once more. */
  answered?: string;
}
type Telling = "item" | "event";

/** @param fallbackId id where no record names one: the name of the file without its extension. */
export function codexReader(fallbackId: string, earlier?: unknown): TranscriptReader {
  const state = (earlier as CodexState | undefined) ?? {
    header: { ...emptyHeader("codex", fallbackId), source: "codex" },
    named: false,
    copying: false,
    chain: firstUid(fallbackId),
    told: [],
  };
  return {
    header: state.header,
    state: () => state,
    read: (record, line) => {
      const { header } = state;
      const [type, payload] = unwrap(record);
      addCount(header.eventCounts, type);
      const timestamp = momentOf(record.timestamp ?? payload.timestamp);
      if (timestamp !== "") {
        header.createdAt ||= timestamp;
        if (timestamp > header.updatedAt) header.updatedAt = timestamp;
      }
      if (state.copying && payload.thread_id === header.id) endCopy(state);
      return readRecord(state, type, payload, { line, timestamp });
    },
  };
}

/** From here on the session speaks for itself. */
function endCopy(state: CodexState): void {
  state.copying = false;
  state.header.status = "";
  state.header.firstUserMessage = "";
}

/** Rollouts of 2025 hold the payload of a `response_item` bare, after a first line about the session. */
function unwrap(record: Record<string, unknown>): [string, Record<string, unknown>] {
  const type = textOf(record.type);
  if (type !== "" && "payload" in record) return [type, recordOf(record.payload)];
  if (type === "" && "id" in record && "timestamp" in record) return ["session_meta", record];
  if (BARE_ITEMS.has(type)) return ["response_item", record];
  return [type || textOf(record.record_type) || "unknown", record];
}

const BARE_ITEMS = new Set(["message", "reasoning", "function_call", "function_call_output"]);

interface Place {
  readonly line: number;
  readonly timestamp: string;
}

function readRecord(
  state: CodexState,
  type: string,
  payload: Record<string, unknown>,
  place: Place,
): RecordFacts {
  const { header } = state;
  switch (type) {
    case "session_meta":
      readMeta(state, payload);
      return NO_FACTS;
    case "turn_context":
      header.cwd ||= textOf(payload.cwd);
      header.model = textOf(payload.model) || header.model;
      return NO_FACTS;
    case "response_item":
      return readItem(state, payload, place);
    case "event_msg":
      return readEvent(state, payload, place);
    case "token_usage_record":
      return readUsage(header, payload, place);
    case "compacted":
      return said(state, "assistant", "summary", textOf(payload.message), place);
    case "world_state":
    case "inter_agent_communication_metadata":
    case "state":
      return NO_FACTS;
    default:
      return { ...NO_FACTS, unknown: true };
  }
}

function readMeta(state: CodexState, meta: Record<string, unknown>): void {
  const { header } = state;
  const id = textOf(meta.id, meta.session_id);
  if (state.named) {
    // Of the session that this one is a copy of; the last of several is the origin of all.
    state.copying = true;
    state.chain = firstUid(id);
    header.forkedFrom ||= id;
    return;
  }
  state.named = id !== "";
  header.id = id || header.id;
  header.forkedFrom = textOf(meta.forked_from_id);
  state.chain = firstUid(header.id);
  const spawned = recordOf(recordOf(recordOf(meta.source).subagent).thread_spawn);
  state.helper = helperName(meta);
  header.parentId = textOf(meta.parent_thread_id, spawned.parent_thread_id);
  header.cwd ||= textOf(meta.cwd);
  header.source = textOf(meta.source, meta.originator) || header.source;
  header.modelProvider ||= textOf(meta.model_provider);
  header.model ||= textOf(meta.model);
  header.cliVersion ||= textOf(meta.cli_version);
  const git = recordOf(meta.git);
  header.gitBranch ||= textOf(git.branch);
  header.gitOriginUrl ||= textOf(git.repository_url);
}

function readItem(state: CodexState, item: Record<string, unknown>, place: Place): RecordFacts {
  switch (textOf(item.type)) {
    case "message": {
      const role = textOf(item.role);
      if (role !== "user" && role !== "assistant") return NO_FACTS;
      return tell(state, "item", role, contentText(item.content), place);
    }
    case "agent_message": {
      const text = contentText(item.content);
      const task = withoutEnvelope(text);
      if (task === "" && !state.copying) state.header.title ||= state.helper ?? "";
      return tell(state, "item", "user", text, place, task);
    }
    case "reasoning":
      return said(state, "assistant", "thinking", contentText(item.summary), place);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const call = readCodexCall(item);
      const facts = said(state, "tool", call.name, call.text, place);
      const at = { lineNo: place.line, timestamp: place.timestamp };
      return {
        ...facts,
        touches: call.edited.map((path) => edited(path, place)),
        commands:
          call.command === "" ? [] : [{ ...at, callId: call.callId, command: call.command }],
      };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = readCodexOutput(item);
      const at = { lineNo: place.line, timestamp: place.timestamp };
      return {
        ...said(state, "tool", "tool_result", output.text, place),
        results: [{ ...at, ...output.result }],
      };
    }
    case "web_search_call":
    case "ghost_snapshot":
    case "compaction":
    case "compaction_summary":
      return NO_FACTS;
    default:
      return { ...NO_FACTS, unknown: true };
  }
}

function readEvent(state: CodexState, event: Record<string, unknown>, place: Place): RecordFacts {
  const { header } = state;
  switch (textOf(event.type)) {
    case "user_message":
      return tell(state, "event", "user", textOf(event.message), place);
    case "agent_message":
      return tell(state, "event", "assistant", textOf(event.message), place);
    case "task_started":
    case "turn_started":
      state.told = [];
      state.answered = "";
      return NO_FACTS;
    case "task_complete":
    case "turn_complete":
      header.status = "complete";
      if (keyOf("assistant", textOf(event.last_agent_message)) === state.answered) return NO_FACTS;
      return tell(state, "event", "assistant", textOf(event.last_agent_message), place);
    case "turn_aborted":
      header.status = "aborted";
      return NO_FACTS;
    case "token_count":
      readTotal(header, recordOf(event.info));
      return NO_FACTS;
    case "patch_apply_end":
      return { ...NO_FACTS, touches: editedFiles(event.changes, place) };
    case "item_completed": {
      const item = recordOf(event.item);
      if (item.type !== "FileChange") return NO_FACTS;
      return { ...NO_FACTS, touches: editedFiles(item.changes, place) };
    }
    case "thread_name_updated":
      header.title = textOf(event.name, event.thread_name) || header.title;
      return NO_FACTS;
    default:
      return NO_FACTS;
  }
}

function editedFiles(changes: unknown, place: Place): readonly FileTouch[] {
  return Object.keys(recordOf(changes)).map((path) => edited(path, place));
}

function edited(path: string, { line, timestamp }: Place): FileTouch {
  return { lineNo: line, timestamp, path, kind: "edited" };
}

/**
 * What both kinds of records tell counts once per turn, whichever tells it first.
 * @param asked what of it the user, or another agent, asked for.
 */
function tell(
  state: CodexState,
  by: Telling,
  role: "user" | "assistant",
  text: string,
  place: Place,
  asked = text,
): RecordFacts {
  if (text.trim() === "" || isNoise(text)) return NO_FACTS;
  const key = keyOf(role, text);
  if (role === "assistant") state.answered = key;
  const again = state.told.findIndex(([told, first]) => told === key && first !== by);
  if (again >= 0) {
    if (by === "item") state.told.splice(again, 1);
    return NO_FACTS;
  }
  state.told.push([key, by]);
  if (state.told.length > REMEMBERED) state.told.shift();
  if (role === "user") state.header.firstUserMessage ||= asked;
  else state.header.lastAgentMessage = text;
  return said(state, role, "message", asTyped(text), place);
}

function keyOf(role: string, text: string): string {
  return quickHash(`${role}\n${text.trim()}`);
}

function said(
  state: CodexState,
  role: MessageRole,
  kind: string,
  text: string,
  { line, timestamp }: Place,
): RecordFacts {
  if (text.trim() === "") return NO_FACTS;
  state.chain = nextUid(state.chain, `${role}\n${kind}\n${text}`);
  const message = { lineNo: line, timestamp, role, kind, text, uid: state.chain };
  return { ...NO_FACTS, messages: [message] };
}

function readUsage(
  header: SessionHeader,
  payload: Record<string, unknown>,
  { line }: Place,
): RecordFacts {
  const usage = recordOf(payload.usage);
  const tokens = countOf(usage.total_tokens);
  if (tokens === 0) return NO_FACTS;
  const response = textOf(payload.response_id) || `${line}`;
  const fact: UsageFact = { uid: nextUid(firstUid(header.id), response), tokens };
  return { ...NO_FACTS, usage: [fact] };
}

function readTotal(header: SessionHeader, info: Record<string, unknown>): void {
  header.tokensUsed = countOf(recordOf(info.total_token_usage).total_tokens) || header.tokensUsed;
}
