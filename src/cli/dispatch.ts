/** From the words of the command line to an exit status. */
import { type PalliumError, usageError } from "../lib/errors.ts";
import { nearMatch } from "../lib/near-match.ts";
import { printable } from "../lib/printable.ts";
import { coloursWanted } from "./colours.ts";
import type { CommandContext, CommandGroup, CommandResult, OutputLine } from "./command.ts";
import { GLOBAL_ARGS, type GlobalFlags, readGlobalFlags } from "./global-flags.ts";
import { help } from "./help.ts";
import { parseArgs } from "./parse.ts";
import { createPrinter, type Printer } from "./printer.ts";
import type { Program } from "./program.ts";
import { type ErrorStyle, exitCodeOf, renderError } from "./report-error.ts";
import { type CommandPath, resolve } from "./resolve.ts";
import { arityError } from "./usage.ts";

/** Characters of output that are gathered before they are written. */
const BLOCK_LENGTH = 64 * 1024;

function printerFor(program: Program, flags: GlobalFlags): Printer {
  const { environment, output, loadBadges } = program;
  const terminal = environment.stderrIsTerminal;
  return createPrinter({
    quiet: flags.quiet,
    terminal,
    write: output.message,
    waiting: output.waiting,
    ...(terminal && coloursWanted(environment, flags.noColor) ? { loadBadges } : {}),
  });
}

function errorStyle({ environment }: Program, flags: GlobalFlags): ErrorStyle {
  const terminal = environment.stderrIsTerminal;
  return {
    json: flags.json,
    verbose: flags.verbose,
    colour: terminal && coloursWanted(environment, flags.noColor),
    terminal,
  };
}

function contextFor(program: Program, printer: Printer, flags: GlobalFlags): CommandContext {
  let services: ReturnType<Program["createServices"]> | undefined;
  return {
    environment: program.environment,
    services: () => {
      services ??= program.createServices(printer.notice);
      return services;
    },
    printer,
    interrupts: program.interrupts,
    readerGone: program.output.readerGone,
    confirm: program.output.confirm,
    json: flags.json,
    watched: program.environment.stderrIsTerminal || flags.verbose,
  };
}

function unknownCommand(path: CommandPath, group: CommandGroup, word: string): PalliumError {
  const [, ...groups] = path;
  const names = Object.entries(group.children).flatMap(([name, node]) => [
    name,
    ...(node.aliases ?? []),
  ]);
  const near = nearMatch(word, names);
  const what = groups.length === 0 ? "command" : `${groups.join(" ")} subcommand`;
  return usageError(
    `unknown ${what}: ${word}`,
    ...(near === undefined ? [] : [`did you mean ${near}?`]),
    `run ${path.join(" ")} --help for all commands`,
  );
}

/** A group that is named without a command shows its help; so does an unknown command, with its error. */
async function runGroup(
  program: Program,
  group: CommandGroup,
  path: CommandPath,
  json: boolean,
  unknown: string | undefined,
): Promise<CommandResult> {
  if (unknown === undefined) return help(program, group, path, json);
  const error = unknownCommand(path, group, unknown);
  if (json) throw error;
  return { ...(await help(program, group, path, json)), error };
}

async function run(
  program: Program,
  root: CommandGroup,
  flags: GlobalFlags,
  printer: Printer,
): Promise<CommandResult> {
  const { path, node, words, unknown, ...resolved } = resolve(root, program.environment.argv);
  const nothingToHelpWith = node === root && unknown !== undefined;
  if ((flags.help || resolved.help) && !nothingToHelpWith) {
    return help(program, node, path, flags.json);
  }
  if (node.kind === "group") {
    const word = unknown ?? parseArgs(words, GLOBAL_ARGS).rest[0];
    return runGroup(program, node, path, flags.json, word);
  }
  const command = await node.load();
  const args = parseArgs(words, { ...command.args, ...GLOBAL_ARGS });
  const wrongArity = arityError(path, command, args.rest);
  if (wrongArity !== undefined) throw wrongArity;
  return command.run(args, contextFor(program, printer, flags));
}

async function printResult(
  program: Program,
  result: CommandResult,
  { json, noColor }: GlobalFlags,
): Promise<void> {
  const { environment, output } = program;
  if ("screen" in result) {
    const { showOnScreen } = await import("./screen.ts");
    return showOnScreen(output, result.screen);
  }
  if ("pieces" in result) return printPieces(program, result.pieces);
  if ("lines" in result) {
    const pieces = linePieces(program, result.lines, json);
    return printPieces(program, result.live === true ? atOnce(pieces) : pieces);
  }
  if (json) {
    await output.data(`${JSON.stringify(result.data, null, 2)}\n`);
    return;
  }
  const { text, styledText } = result;
  const colour = environment.stdoutIsTerminal && coloursWanted(environment, noColor);
  const printed = (colour ? styledText : undefined) ?? shown(program, text);
  if (printed !== "") await output.data(`${printed}\n`);
}

async function* linePieces(
  program: Program,
  lines: AsyncIterable<OutputLine>,
  json: boolean,
): AsyncGenerator<string> {
  for await (const { data, text } of lines) {
    yield `${json ? JSON.stringify(data) : shown(program, text)}\n`;
  }
}

/** Bytes are not gathered. */
async function* atOnce(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

/**
 * Texts go out by the block: one by one they would take a system call each. Nothing more is asked
 * for once the reader has gone away.
 */
async function printPieces(
  { output }: Program,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  let block = "";
  const print = async (): Promise<boolean> => {
    const text = block;
    block = "";
    return text === "" || (await output.data(text));
  };
  for await (const piece of pieces) {
    if (typeof piece === "string") {
      block += piece;
      if (block.length >= BLOCK_LENGTH && !(await print())) return;
    } else if (!((await print()) && (await output.data(piece)))) return;
  }
  await print();
}

function shown({ environment }: Program, text: string): string {
  return environment.stdoutIsTerminal ? printable(text) : text;
}

/**
 * Runs the command that the arguments name and prints what it returns: its document or text on
 * stdout, its error on stderr. Resolves with the exit status and never rejects.
 */
export async function dispatch(program: Program, root: CommandGroup): Promise<number> {
  const flags = readGlobalFlags(program.environment.argv);
  const printer = printerFor(program, flags);
  try {
    const result = await run(program, root, flags, printer).finally(printer.flush);
    await printResult(program, result, flags);
    if (result.error !== undefined) throw result.error;
    return 0;
  } catch (thrown) {
    program.output.message(renderError(thrown, errorStyle(program, flags)));
    return exitCodeOf(thrown);
  }
}
