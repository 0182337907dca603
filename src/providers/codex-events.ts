/** Reads the JSON Lines that `codex exec --json` prints, however many there are. */
import { isRecord, parseJson } from "../lib/json.ts";
import { readLines } from "../platform/bounded-read.ts";
import type { Usage } from "./contract.ts";
import { parseUsage } from "./usage.ts";

/** Longer event lines are passed over: none that matters here comes near it. */
const LINE_LIMIT = 1024 * 1024;
/** Lines that are no events, kept to look for a reason in. */
const PLAIN_LINES = 200;
const PLAIN_LINE_CHARACTERS = 4096;
const MATTERS = /"turn\.|"thread\.|"error"/;

export interface CodexEvents {
  readonly usage?: Usage;
  /** Name of the conversation. */
  readonly thread?: string;
  /** Message of the last error event. */
  readonly error?: string;
  /** What was printed besides events, from the start and bounded. */
  readonly plainLines: readonly string[];
}

/** Unknown and torn lines are passed over; a missing file has no events. */
export async function readCodexEvents(path: string): Promise<CodexEvents> {
  const plainLines: string[] = [];
  let usage: Usage | undefined;
  let error: string | undefined;
  let thread: string | undefined;
  for await (const line of readLines(path, LINE_LIMIT)) {
    if (!line.startsWith("{")) {
      if (line.trim() !== "" && plainLines.length < PLAIN_LINES) {
        plainLines.push(line.slice(0, PLAIN_LINE_CHARACTERS));
      }
      continue;
    }
    if (!MATTERS.test(line)) continue;
    const event = parseJson(line);
    if (!isRecord(event)) continue;
    usage = usageOf(event) ?? usage;
    error = errorOf(event) ?? error;
    thread = threadOf(event) ?? thread;
  }
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(error === undefined ? {} : { error }),
    ...(thread === undefined ? {} : { thread }),
    plainLines,
  };
}

function usageOf(event: Record<string, unknown>): Usage | undefined {
  if (event.type !== "turn.completed" || !isRecord(event.usage)) return undefined;
  return parseUsage(JSON.stringify(event.usage), "codex agent").usage;
}

function errorOf(event: Record<string, unknown>): string | undefined {
  const source = event.type === "turn.failed" ? event.error : event;
  if (event.type !== "error" && event.type !== "turn.failed") return undefined;
  return isRecord(source) && typeof source.message === "string" ? source.message : undefined;
}

function threadOf({ type, thread_id: thread }: Record<string, unknown>): string | undefined {
  return type === "thread.started" && typeof thread === "string" ? thread : undefined;
}
