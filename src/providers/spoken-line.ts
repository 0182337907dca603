/** What lines that a worker prints say to a person: events of Codex and Claude Code as words, all else as it is. */
import { isRecord, parseJson } from "../lib/json.ts";

/** @returns `undefined` for what says nothing, such as a blank line or the begin of a turn. */
export function spokenLine(line: string): string | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  if (!text.startsWith("{")) return text;
  const event = parseJson(text);
  if (!isRecord(event) || typeof event.type !== "string") return text;
  return sayingOf(event);
}

function sayingOf(event: Record<string, unknown>): string | undefined {
  const { item, message, result, error } = event;
  if (isRecord(item)) return itemText(item);
  if (isRecord(message)) return partsText(message.content);
  if (isRecord(error)) return textIn(error, "message");
  return firstText(message, result);
}

/** Of one thing that Codex does: a message, a thought, a command, files. */
function itemText(item: Record<string, unknown>): string | undefined {
  if (Array.isArray(item.changes)) {
    const paths = item.changes.filter(isRecord).flatMap((change) => textIn(change, "path") ?? []);
    return paths.length === 0 ? undefined : `edits ${paths.join(", ")}`;
  }
  const command = textIn(item, "command");
  if (command !== undefined) return `$ ${command}`;
  return firstText(item.text, item.message, item.query, item.tool);
}

/** Of one message of Claude Code: what it says last, or the tool that it asks for. */
function partsText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content.filter(isRecord).reduce<string | undefined>((said, part) => {
    if (part.type !== "tool_use") return firstText(part.text, part.thinking) ?? said;
    const input = isRecord(part.input) ? part.input : {};
    const object = firstText(input.command, input.file_path, input.pattern, input.description);
    return [textIn(part, "name") ?? "tool", ...(object === undefined ? [] : [object])].join(" ");
  }, undefined);
}

function textIn(record: Record<string, unknown>, name: string): string | undefined {
  return firstText(record[name]);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}
