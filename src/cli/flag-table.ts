import { type PalliumError, usageError } from "../lib/errors.ts";
import { nearMatch } from "../lib/near-match.ts";
import type { CommandArg, CommandArgs } from "./command.ts";
import type { FlagToken } from "./flag-token.ts";

/** A flag under one of its spellings. */
export interface Flag {
  /** Its long name, whichever alias was used. */
  readonly name: string;
  readonly definition: CommandArg;
  /** Whether this spelling switches it off: `--no-cache` of `cache`. */
  readonly negated: boolean;
}

export type FlagTable = ReadonlyMap<string, Flag>;

/** Further names of a flag, without dashes. */
export function aliasesOf(definition: CommandArg): readonly string[] {
  const { alias = [] } = definition;
  return typeof alias === "string" ? [alias] : alias;
}

/** Whether `--no-<name>` exists: where a flag is on by default, or describes its opposite. */
export function isNegatable(definition: CommandArg): boolean {
  if (definition.type !== "boolean") return false;
  return definition.default === true || definition.negativeDescription !== undefined;
}

/** Every spelling of every flag, without dashes. */
export function flagTable(definitions: CommandArgs): FlagTable {
  const table = new Map<string, Flag>();
  for (const [name, definition] of Object.entries(definitions)) {
    for (const spelling of [name, ...aliasesOf(definition)]) {
      table.set(spelling, { name, definition, negated: false });
    }
    if (isNegatable(definition)) table.set(`no-${name}`, { name, definition, negated: true });
  }
  return table;
}

/** The usage error for a flag that is not in the table. */
export function unknownFlag(token: FlagToken, table: FlagTable): PalliumError {
  const message = `flag provided but not defined: ${token.spelling}`;
  const near = nearMatch(token.name, table.keys());
  return near === undefined
    ? usageError(message, "--help lists the flags; put -- in front of words that are none")
    : usageError(message, `did you mean --${near}?`);
}
