import { usageError } from "../../lib/errors.ts";
import { nearMatch } from "../../lib/near-match.ts";
import type { Command, CommandGroup, CommandNode } from "../command.ts";
import { help } from "../help.ts";
import { PROGRAM_NAME, type Program } from "../program.ts";
import { type CommandPath, findChild, type NamedNode } from "../resolve.ts";

interface Found {
  readonly path: CommandPath;
  readonly node: CommandNode;
}

function find(root: CommandGroup, words: readonly string[]): Found {
  let path: CommandPath = [PROGRAM_NAME];
  let node: CommandNode = root;
  for (const word of words) {
    const child: NamedNode | undefined = node.kind === "group" ? findChild(node, word) : undefined;
    if (child === undefined) {
      const names = node.kind === "group" ? Object.keys(node.children) : [];
      const near = nearMatch(word, names);
      const hint =
        near === undefined ? `run ${path[0]} help for all commands` : `did you mean ${near}?`;
      throw usageError(`unknown command: ${words.join(" ")}`, hint);
    }
    path = [...path, child.name];
    node = child.node;
  }
  return { path, node };
}

export function helpCommand(program: Program, root: CommandGroup): Command {
  return {
    name: "help",
    summary: "Show help; with --json the commands, their flags and their output schemas",
    positionals: "[command...]",
    arity: [0, Number.POSITIVE_INFINITY],
    args: {},
    run: async (args, context) => {
      const { path, node } = find(root, args.rest);
      return help(program, node, path, context.json);
    },
  };
}
