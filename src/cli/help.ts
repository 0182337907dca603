import { coloursWanted } from "./colours.ts";
import type { CommandNode, CommandResult } from "./command.ts";
import { helpDocument } from "./help-document.ts";
import { commandHelp, groupHelp, type HelpStyle } from "./help-text.ts";
import type { Program } from "./program.ts";
import type { CommandPath } from "./resolve.ts";

const WIDTH_WITHOUT_TERMINAL = 80;
const NARROWEST = 40;
const WIDEST = 100;

function helpStyle({ environment }: Program, noColor: boolean): HelpStyle {
  const columns = environment.columns ?? WIDTH_WITHOUT_TERMINAL;
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, columns)),
    colour: environment.stdoutIsTerminal && coloursWanted(environment, noColor),
  };
}

/**
 * Help for a command or a group: text for a person, or with `json` the document of every command
 * in it. Only the form that is asked for is made, since the document loads every command.
 */
export async function help(
  program: Program,
  node: CommandNode,
  path: CommandPath,
  options: { readonly json: boolean; readonly noColor: boolean },
): Promise<CommandResult> {
  if (options.json) {
    const { version } = program.version;
    return { data: await helpDocument(node, path, version, program.outputSchema), text: "" };
  }
  const style = helpStyle(program, options.noColor);
  const text =
    node.kind === "group"
      ? groupHelp(path, node, style)
      : commandHelp(path, await node.load(), style);
  return { data: null, text };
}
