/** The shape of a command: citty's definition of its arguments, and one function that runs it. */
import type { BooleanArgDef, EnumArgDef, StringArgDef } from "citty";
import type { PalliumError } from "../lib/errors.ts";
import type { Json } from "../lib/json.ts";
import type { Services } from "../operations/services.ts";
import type { Environment } from "../platform/environment.ts";
import type { Printer } from "./printer.ts";

/** citty's definition of a flag, and what it lacks: flags that may be given several times. */
export type CommandArg =
  | (BooleanArgDef & { readonly type: "boolean" })
  | ((StringArgDef & { readonly type: "string" }) & { readonly multiple?: boolean })
  | ((EnumArgDef & { readonly type: "enum" }) & { readonly multiple?: boolean });
export type CommandArgs = Readonly<Record<string, CommandArg>>;

/** Values of parsed flags by their long name; `rest` holds the positionals in order. */
export interface ParsedArgs {
  /** The last value of a flag that takes one; `undefined` when it was not given and has no default. */
  text(name: string): string | undefined;
  /** All values of a flag that takes one, in order; the default, if any, when it was not given. */
  list(name: string): readonly string[];
  /** A boolean flag, `false` unless given or its default says otherwise. */
  flag(name: string): boolean;
  /** A whole number flag; anything else is a usage error. */
  integer(name: string): number | undefined;
  /** Whether the user gave the flag, default or not. */
  given(name: string): boolean;
  readonly rest: readonly string[];
}

export interface CommandContext {
  readonly environment: Environment;
  /** The product's services; made on first use, so that `help` opens no database. */
  readonly services: () => Promise<Services>;
  readonly printer: Printer;
  /** Fires `pause` on the first Ctrl-C, then `stop`; SIGTERM is `stop` at once. */
  readonly interrupts: Interrupts;
  /** Aborted once nobody reads stdout any more; for commands that wait for what comes next. */
  readonly readerGone: () => Promise<AbortSignal>;
  /** Asks whoever sits at the terminal; `undefined` where nobody does. */
  readonly confirm: (question: string, signal: AbortSignal) => Promise<boolean | undefined>;
  readonly json: boolean;
  /** Whether somebody watches stderr closely: it is a terminal, or `--verbose` was given. */
  readonly watched: boolean;
}

/** Requests of the terminal or the operating system to end early. */
export interface Interrupts {
  /** Called for every request until the returned function is called; while somebody listens the process does not die of it. */
  listen(onInterrupt: (kind: "pause" | "stop") => void): () => void;
}

export type CommandResult = (DocumentResult | LinesResult | PiecesResult | ScreenResult) & {
  /** Printed to stderr after the output; decides the exit status. */
  readonly error?: PalliumError;
};

interface DocumentResult {
  /** The one JSON document; what `--json` prints. */
  readonly data: Json;
  /** What a person reads on stdout; ends without a newline. */
  readonly text: string;
  /** The same in colours, for a terminal that shows them; holds nothing else that it would obey. */
  readonly styledText?: string;
}

/** For what may be long: printed while it is made, with `--json` as JSON Lines. */
interface LinesResult {
  readonly lines: AsyncIterable<OutputLine>;
  /** Whether each line is printed when it comes, however long the next one takes. */
  readonly live?: boolean;
}

/**
 * For what is neither a document nor lines with a meaning each: written as it is, byte for byte, so
 * that the command itself takes out what a terminal must not obey.
 */
interface PiecesResult {
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

/** For what changes while somebody looks at it, on a terminal only. The last view stays there. */
interface ScreenResult {
  readonly screen: AsyncIterable<ScreenView>;
}

export interface ScreenView {
  /**
   * No more rows than the terminal has, none wider, with nothing in them that it would obey but colours.
   * @param isLive false for what stays on the terminal in the end.
   */
  rows(size: TerminalSize, now: Date, isLive: boolean): readonly string[];
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface OutputLine {
  readonly data: Json;
  readonly text: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** How positionals are written in usage lines, such as `<run-id>` or `[task...]`. */
  readonly positionals?: string;
  /** Fewest and most positionals; `Infinity` for any number. */
  readonly arity: readonly [number, number];
  /** What to do instead of giving more positionals. */
  readonly ifTooMany?: string;
  readonly args: CommandArgs;
  /** Names the operation whose output schema describes `data`. */
  readonly operation?: string;
  /** Operations whose schemas describe `data` where it is used in other ways. */
  readonly variants?: readonly { readonly when: string; readonly operation: string }[];
  /** Whether it prints lines, each as the schema has it. */
  readonly streams?: boolean;
  readonly examples?: readonly string[];
  run(args: ParsedArgs, context: CommandContext): Promise<CommandResult>;
}

/** A group of commands, or one command, loaded when it is asked for. */
export type CommandNode = CommandLeaf | CommandGroup;

interface NodeBase {
  readonly summary: string;
  /** Further names it answers to. */
  readonly aliases?: readonly string[];
}

export interface CommandLeaf extends NodeBase {
  readonly kind: "command";
  /** Whether it takes words in plain language: `help` among others is one of them. */
  readonly freeText?: boolean;
  readonly load: () => Promise<Command>;
}

export interface CommandGroup extends NodeBase {
  readonly kind: "group";
  /** Sub-command to run when none is named; without it the group's help is shown. */
  readonly fallback?: string;
  /** Sub-command that takes a first word which names none, as `show` takes the name of a thing. */
  readonly byName?: string;
  readonly children: Readonly<Record<string, CommandNode>>;
}
