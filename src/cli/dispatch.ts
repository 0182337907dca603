/** From the words of the command line to an exit status. */
import { type PalliumError, usageError } from "../lib/errors.ts";
import { nearMatch } from "../lib/near-match.ts";
import { coloursWanted } from "./colours.ts";
import type { CommandContext, CommandGroup, CommandResult } from "./command.ts";
import { GLOBAL_ARGS, type GlobalFlags, readGlobalFlags } from "./global-flags.ts";
import { help } from "./help.ts";
import { parseArgs } from "./parse.ts";
import { createPrinter, type Printer } from "./printer.ts";
import type { Program } from "./program.ts";
import { PROGRAM_NAME } from "./registry.ts";
import { type ErrorStyle, exitCodeOf, renderError } from "./report-error.ts";
import { type CommandPath, type Resolved, resolve } from "./resolve.ts";
import { arityError } from "./usage.ts";
import { printable } from "../lib/printable.ts";

function printerFor(program: Program, flags: GlobalFlags): Printer {
  const { environment, output, loadBadges } = program;
  const terminal = environment.stderrIsTerminal;
  return createPrinter({
    quiet: flags.quiet,
    terminal,
    write: output.message,
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

function contextFor(program: Program, printer: Printer, json: boolean): CommandContext {
  let services: ReturnType<Program["createServices"]> | undefined;
  return {
    environment: program.environment,
    services: () => {
      services ??= program.createServices();
      return services;
    },
    printer,
    interrupts: program.interrupts,
    json,
  };
}

function unknownCommand(path: CommandPath, group: CommandGroup, word: string): PalliumError {
  const [, ...groups] = path;
  const names = Object.entries(group.children).flatMap(([name, node]) => [name, ...(node.aliases ?? [])]);
  const near = nearMatch(word, names);
  const what = groups.length === 0 ? "command" : `${groups.join(" ")} subcommand`;
  return usageError(
    `unknown ${what}: ${word}`,
    ...(near === undefined ? [] : [`did you mean ${near}?`]),
    `run ${path.join(" ")} --help for all commands`,
  );
}
