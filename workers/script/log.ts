import { toJson } from "../../src/lib/to-json.ts";

/** One line of `log(...parts)`: strings as they are, other values as JSON; cut with a mark. */
export function logLine(parts: readonly unknown[], limit: number): string {
  const line = parts.map((part) => partText(part, limit)).join(" ");
  if (line.length <= limit) return line;
  return `${line.slice(0, limit)}… (cut, ${line.length} characters)`;
}

function partText(part: unknown, limit: number): string {
  if (typeof part === "string") return part;
  if (typeof part === "function") return "[function]";
  if (typeof part !== "object" || part === null) return String(part);
  const encoding = toJson(part, { name: "$", limit: 8 * limit });
  return encoding.ok ? JSON.stringify(encoding.value) : `[not shown: ${encoding.message}]`;
}
