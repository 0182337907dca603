import type { CommandNode, CommandResult } from "./command.ts";
import { helpDocument } from "./help-document.ts";
import { commandHelp, groupHelp } from "./help-text.ts";
import type { Program } from "./program.ts";
import type { CommandPath } from "./resolve.ts";

const WIDTH_WITHOUT_TERMINAL = 80;
const NARROWEST = 40;
const WIDEST = 100;

/**
 * Help for a command or a group: text for a person, or with `json` the document of every command
 * in it. Only the form that is asked for is made, since the document loads every command.
 */
export async function help(
  program: Program,
  node: CommandNode,
  path: CommandPath,
  json: boolean,
): Promise<CommandResult> {
  if (json) {
    const { version } = program.version;
    return { data: await helpDocument(node, path, version, program.outputSchema), text: "" };
  }
  const columns = program.environment.columns ?? WIDTH_WITHOUT_TERMINAL;
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const text =
    node.kind === "group"
      ? groupHelp(path, node, width)
      : commandHelp(path, await node.load(), width);
  return { data: null, text };
}
