/** The one place that turns what was thrown into words and an exit status. */
import { errorData, PalliumError } from "../lib/errors.ts";
import { printable } from "../lib/printable.ts";
import { type Format, styled } from "./colours.ts";

export interface ErrorStyle {
  readonly json: boolean;
  /** Adds where an error came from. */
  readonly verbose: boolean;
  readonly colour: boolean;
  /** Whether a terminal shows it, which must not obey what the message may hold. */
  readonly terminal: boolean;
}

/** Exit status of a command that fails with this: 1, 2 for usage errors, or what the error says. */
export function exitCodeOf(thrown: unknown): number {
  return thrown instanceof PalliumError ? thrown.exitCode : 1;
}

const DEFECT_HINTS = [
  "this is a defect of pallium, please report it",
  "run the command again with --verbose to see where it came from",
] as const;

function hintsOf(thrown: unknown): readonly string[] {
  return thrown instanceof PalliumError ? [...new Set(thrown.hints)] : DEFECT_HINTS;
}

/** The stacks of an error and of what caused it. */
function origin(thrown: unknown): readonly string[] {
  const stacks: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.stack !== undefined) stacks.push(error.stack);
  }
  return stacks;
}

function toText(thrown: unknown, style: ErrorStyle): string {
  const paint = (format: Format, text: string) => (style.colour ? styled(format, text) : text);
  const shown = (text: string) => (style.terminal ? printable(text) : text);
  const lines = [`${paint("red", "error:")} ${shown(errorData(thrown).message)}`];
  const hints = hintsOf(thrown);
  if (hints.length > 0) lines.push("");
  for (const hint of hints) lines.push(`${paint("cyan", "hint:")} ${shown(hint)}`);
  if (style.verbose) lines.push("", ...origin(thrown).map((stack) => paint("dim", shown(stack))));
  return lines.join("\n");
}

/**
 * What stderr gets for an error, with its last newline. As JSON it is one line, so that it can be
 * told from the lines of progress in front of it.
 */
export function renderError(thrown: unknown, style: ErrorStyle): string {
  if (!style.json) return `${toText(thrown, style)}\n`;
  const { code, message } = errorData(thrown);
  const stacks = style.verbose ? { stacks: origin(thrown) } : {};
  return `${JSON.stringify({ error: { code, message, hints: hintsOf(thrown), ...stacks } })}\n`;
}
