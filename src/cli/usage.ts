import { type PalliumError, usageError } from "../lib/errors.ts";
import type { Command } from "./command.ts";
import type { CommandPath } from "./resolve.ts";

/** How a command is called, on one line. */
export function usageLine(path: CommandPath, command: Command): string {
  const positionals = command.positionals === undefined ? [] : [command.positionals];
  const flags = Object.keys(command.args).length > 0 ? ["[flags]"] : [];
  return [...path, ...positionals, ...flags].join(" ");
}

/** The usage error for too few or too many positionals; `undefined` where their number is right. */
export function arityError(
  path: CommandPath,
  command: Command,
  rest: readonly string[],
): PalliumError | undefined {
  const [fewest, most] = command.arity;
  if (rest.length >= fewest && rest.length <= most) return undefined;
  const instead = command.ifTooMany === undefined ? [] : [command.ifTooMany];
  const extra = rest.length > most ? [`unexpected argument: ${rest[most]}`, ...instead] : [];
  return usageError(
    `usage: ${usageLine(path, command)}`,
    ...extra,
    `run ${path.join(" ")} --help for its flags`,
  );
}
