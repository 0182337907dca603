/** How a session of Claude Code ended, as far as its last record of the conversation tells. */
import { textOf } from "./fields.ts";

const INTERRUPTED = "[Request interrupted by user";
const ENDED = new Set(["end_turn", "stop_sequence"]);

/** `complete`, `aborted`, or empty while something is to come. */
export function statusAfter(
  type: "user" | "assistant",
  message: Record<string, unknown>,
  items: readonly Record<string, unknown>[],
): string {
  if (type === "assistant") return ENDED.has(textOf(message.stop_reason)) ? "complete" : "";
  return items.some(({ text }) => textOf(text).startsWith(INTERRUPTED)) ? "aborted" : "";
}
