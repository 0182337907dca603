import type { CommandArgs } from "./command.ts";
import { beforeEndOfFlags, readBoolean, readFlag } from "./flag-token.ts";

/** Flags that every command takes, anywhere on the line. */
export const GLOBAL_ARGS = {
  json: {
    type: "boolean",
    description: "Print one JSON document on stdout; errors as JSON on stderr",
  },
  quiet: { type: "boolean", description: "Show no progress" },
  verbose: { type: "boolean", description: "Show where an error came from" },
  "no-color": { type: "boolean", description: "Use no colours, as the variable NO_COLOR does" },
  help: { type: "boolean", alias: "h", description: "Show help for the command" },
} as const satisfies CommandArgs;

export interface GlobalFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly noColor: boolean;
  readonly help: boolean;
}

type GlobalName = keyof typeof GLOBAL_ARGS;

function globalName(word: string): GlobalName | undefined {
  const name = readFlag(word)?.name;
  if (name === "h") return "help";
  return name !== undefined && Object.hasOwn(GLOBAL_ARGS, name) ? (name as GlobalName) : undefined;
}

/** Whether a word is one of the flags that may stand in front of the command's name. */
export function isGlobalFlag(word: string): boolean {
  return globalName(word) !== undefined;
}

/**
 * Reads the global flags ahead of the real parse, because they decide how its errors are shown.
 * A value that is no boolean counts as given here and is refused by the parse.
 */
export function readGlobalFlags(words: readonly string[]): GlobalFlags {
  const given = new Map<GlobalName, boolean>();
  for (const word of beforeEndOfFlags(words)) {
    const name = globalName(word);
    if (name !== undefined) given.set(name, readBoolean(readFlag(word)?.value ?? "true") ?? true);
  }
  const flag = (name: GlobalName) => given.get(name) ?? false;
  return {
    json: flag("json"),
    quiet: flag("quiet"),
    verbose: flag("verbose"),
    noColor: flag("no-color"),
    help: flag("help"),
  };
}
