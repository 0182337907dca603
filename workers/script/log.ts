import { toJson } from "../../src/lib/to-json.ts";
import { LOG_LINE_LIMIT } from "../../src/workflow/engine/protocol.ts";

/** One line of `log(...parts)`: strings as they are, other values as JSON; cut with a mark. */
export function logLine(parts: readonly unknown[]): string {
  const line = parts.map(partText).join(" ");
  if (line.length <= LOG_LINE_LIMIT) return line;
  return `${line.slice(0, LOG_LINE_LIMIT)}… (cut, ${line.length} characters)`;
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part === "function") return "[function]";
  if (typeof part !== "object" || part === null) return String(part);
  const encoding = toJson(part, { name: "$", limit: 8 * LOG_LINE_LIMIT });
  return encoding.ok ? JSON.stringify(encoding.value) : `[not shown: ${encoding.message}]`;
}
