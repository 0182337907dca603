/** A strict parser in the manner of Go's: flags and positionals mixed, one or two dashes alike. */
import { usageError } from "../lib/errors.ts";
import { nearMatch } from "../lib/near-match.ts";
import type { CommandArgs, ParsedArgs } from "./command.ts";
import { type Flag, flagTable, unknownFlag } from "./flag-table.ts";
import { beforeEndOfFlags, type FlagToken, readBoolean, readFlag } from "./flag-token.ts";

/** Values by long name, in the order given; those of boolean flags are `true` and `false`. */
type Values = Map<string, string[]>;

function booleanValue(token: FlagToken, flag: Flag): string {
  const value = token.value === undefined ? true : readBoolean(token.value);
  if (value === undefined) {
    throw usageError(
      `invalid boolean value ${JSON.stringify(token.value)} for ${token.spelling}`,
      `write ${token.spelling}, ${token.spelling}=true or ${token.spelling}=false`,
    );
  }
  return String(value !== flag.negated);
}

function checkOption(token: FlagToken, flag: Flag, value: string): void {
  if (flag.definition.type !== "enum") return;
  const options = flag.definition.options ?? [];
  if (options.includes(value)) return;
  const near = nearMatch(value, options);
  throw usageError(
    `invalid value ${JSON.stringify(value)} for ${token.spelling}`,
    near === undefined ? `it takes one of: ${options.join(", ")}` : `did you mean ${near}?`,
  );
}

/** The value behind `=`, else the next word; a word that is itself a flag is not taken for one. */
function separateValue(token: FlagToken, next: string | undefined): string {
  if (next === undefined) {
    throw usageError(
      `flag needs an argument: ${token.spelling}`,
      `write ${token.spelling} <value>, or ${token.spelling}=<value>`,
    );
  }
  if (readFlag(next) !== undefined) {
    throw usageError(
      `flag needs an argument: ${token.spelling}`,
      `if ${next} is the value, write ${token.spelling}=${next}`,
    );
  }
  return next;
}

function checkRequired(definitions: CommandArgs, values: Values): void {
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.required === true && definition.default === undefined && !values.has(name)) {
      throw usageError(`missing flag: --${name}`, "--help says what it takes");
    }
  }
}

function wholeNumber(name: string, text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    throw usageError(
      `invalid value ${JSON.stringify(text)} for --${name}`,
      `--${name} takes a whole number`,
    );
  }
  return value;
}

function parsedArgs(definitions: CommandArgs, values: Values, rest: readonly string[]): ParsedArgs {
  const list = (name: string): readonly string[] => {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) throw new Error(`the command defines no flag ${name}`);
    const given = values.get(name);
    if (given !== undefined) return given;
    return definition.default === undefined ? [] : [String(definition.default)];
  };
  const text = (name: string) => list(name).at(-1);
  return {
    text,
    list,
    flag: (name) => text(name) === "true",
    integer: (name) => {
      const value = text(name);
      return value === undefined ? undefined : wholeNumber(name, value);
    },
    given: (name) => values.has(name),
    rest,
  };
}

/**
 * Parses the words behind a command's name. Usage errors: a flag that is not defined, a value that
 * is missing, not among its options or no boolean, and a required flag that was not given. Of a
 * flag given twice the last value counts.
 */
export function parseArgs(words: readonly string[], definitions: CommandArgs): ParsedArgs {
  const table = flagTable(definitions);
  const values: Values = new Map();
  const rest: string[] = [];
  const front = beforeEndOfFlags(words);
  for (let index = 0; index < front.length; index++) {
    const word = front[index] ?? "";
    const token = readFlag(word);
    if (token === undefined) {
      rest.push(word);
      continue;
    }
    const flag = table.get(token.name);
    if (flag === undefined) throw unknownFlag(token, table);
    let value: string;
    if (flag.definition.type === "boolean") {
      value = booleanValue(token, flag);
    } else {
      value = token.value ?? separateValue(token, front[++index]);
      checkOption(token, flag, value);
    }
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  checkRequired(definitions, values);
  return parsedArgs(definitions, values, [...rest, ...words.slice(front.length + 1)]);
}
