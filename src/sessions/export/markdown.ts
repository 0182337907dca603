import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import { shortTime } from "../../lib/short-time.ts";
import { type ExportedSession, factsOf, listsOf, speakerOf, WARNING } from "./exported.ts";

/** What was said stands in fences that nothing in it can close. */
export function* markdownExport(sessions: Iterable<ExportedSession>): Generator<string> {
  let rule = "";
  for (const { session, messages } of sessions) {
    yield `${rule}${head(session)}`;
    for (const message of messages) {
      const time = message.timestamp === "" ? "" : ` · ${message.timestamp}`;
      const speaker = plain(speakerOf(message));
      yield `\n## ${speaker} · line ${message.line_no}${time}\n\n${fenced(message.text)}`;
    }
    rule = "\n---\n\n";
  }
}

function head(session: ExportedSession["session"]): string {
  const { age_seconds: age } = session.recalled;
  const old = age === null ? "" : ` It is ${shortTime(age * 1000)} old.`;
  return [
    `# ${plain(session.title)}\n`,
    `> ${WARNING}${old}\n`,
    ...factsOf(session).map(([name, value]) => `- ${name}: ${code(value)}`),
    ...listsOf(session).map(([name, entries]) => `\n## ${name}\n\n${fenced(entries.join("\n"))}`),
    "",
  ].join("\n");
}

const MARKS = /[\\`*_{}[\]<>()#+!|~&-]/g;

/** One line in which nothing is a mark of the format. */
function plain(text: string): string {
  return oneLine(printable(text)).replace(MARKS, "\\$&");
}

/** A value as code in a line, whatever backticks it has. */
function code(value: string): string {
  const text = oneLine(printable(value), 1000);
  const fence = "`".repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

const SHORTEST_FENCE = 3;

function fenced(text: string): string {
  const fence = "`".repeat(Math.max(SHORTEST_FENCE, longestRun(text) + 1));
  return `${fence}text\n${printable(text)}\n${fence}\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
