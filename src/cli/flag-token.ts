/** One word of the command line, read as a flag without knowing which flags exist. */
export interface FlagToken {
  /** As typed, without the value: `--max-agents` or `-max-agents`. */
  readonly spelling: string;
  /** Without its dashes. */
  readonly name: string;
  /** What follows `=`; absent where there is none. */
  readonly value?: string;
}

const FLAG = /^(--?([^\s=]*))(?:=(.*))?$/s;
const NEGATIVE_NUMBER = /^-(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The word that ends flags: everything behind it is positional. */
export const END_OF_FLAGS = "--";

/**
 * Reads `-x`, `--x` and either with `=value`. `undefined` for positionals; besides plain words
 * these are a lone `-`, negative numbers, and quoted sentences that begin with a dash.
 */
export function readFlag(word: string): FlagToken | undefined {
  if (word === "-" || word === END_OF_FLAGS || NEGATIVE_NUMBER.test(word)) return undefined;
  const match = FLAG.exec(word);
  if (match === null) return undefined;
  const [, spelling = "", name = "", value] = match;
  return value === undefined ? { spelling, name } : { spelling, name, value };
}

/** The words in front of the first `--`: those that can be flags. */
export function beforeEndOfFlags(words: readonly string[]): readonly string[] {
  const end = words.indexOf(END_OF_FLAGS);
  return end === -1 ? words : words.slice(0, end);
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

/** A boolean as flags spell it; `undefined` where the text is none. */
export function readBoolean(text: string): boolean | undefined {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
}
