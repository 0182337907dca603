/** File names as arguments of programs. */
import { isQuoted } from "../../lib/git-path.ts";

/** A file name that no program takes for an option. */
export function fileArgument(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** Whether a name can be an argument at all: one that is not UTF-8 cannot. */
export function canBeArgument(path: string): boolean {
  return !isQuoted(path) && !path.includes("\0");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const EXPANDED = /[$`\\"\u0000-\u001f\u007f]/;

/**
 * Whether a name comes through a tool that pastes its arguments into a shell line in double quotes,
 * as old npm and pnpm do with those of a script.
 */
export function survivesDoubleQuotes(path: string): boolean {
  return !EXPANDED.test(path);
}
