/** One thing that a check command reported as wrong. */
export interface TestFailure {
  /** The test's name as its tool prints it, or the rule or error code of a compiler or linter. */
  readonly name: string;
  readonly message: string;
  /** As the tool printed it: relative to where the tool ran, or absolute. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** Where something went wrong. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

/** Reads the failures of one tool out of the lines of a command's output. */
export type OutputFormat = (lines: readonly string[]) => Iterable<TestFailure>;

/** Most characters of a failure's message; longer ones lose their middle. */
export const MESSAGE_LIMIT = 2000;
const NAME_LIMIT = 300;
/** Room for the mark that says how much was cut. */
const MARK_SIZE = 40;

/** Cuts the middle out of text that is longer than `limit` characters and says so. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - MARK_SIZE) / 2);
  const mark = `\n[… ${text.length - 2 * half} characters cut …]\n`;
  return (text.slice(0, half) + mark + text.slice(-half)).toWellFormed();
}

function dedent(lines: readonly string[]): string {
  let indent = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const start = line.search(/\S/);
    if (start !== -1 && start < indent) indent = start;
  }
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join("\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** Makes a failure: the message without common indentation, cut at `MESSAGE_LIMIT`. */
export function failure(name: string, message: readonly string[], place?: Place): TestFailure {
  return {
    name: clip(name.trim(), NAME_LIMIT),
    message: clip(dedent(message), MESSAGE_LIMIT),
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
  };
}
