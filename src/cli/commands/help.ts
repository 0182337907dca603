import { usageError } from "../../lib/errors.ts";
import { nearMatch } from "../../lib/near-match.ts";
import type { Command, CommandGroup, CommandNode } from "../command.ts";
import { help } from "../help.ts";
import type { Program } from "../program.ts";
import { type CommandPath, findChild } from "../resolve.ts";

function find(root: CommandGroup, path: CommandPath, words: readonly string[]) {
  let node: CommandNode = root;
  for (const word of words) {
    const children = node.kind === "group" ? node.children : {};
    const child = node.kind === "group" ? findChild(node, word) : undefined;
    if (child === undefined) {
      const near = nearMatch(word, Object.keys(children));
      const hint = near === undefined ? `run ${path[0]} help for all commands` : `did you mean ${near}?`;
      throw usageError(`unknown command: ${words.join(" ")}`, hint);
    }
    path = [...path, child.name];
    node = child.node;
  }
  return { path, node };
}

export function helpCommand(program: Program, root: CommandGroup, name: string): Command {
  return {
    name: "help",
    summary: "Show help; with --json the commands, their flags and their output schemas.",
    positionals: "[command...]",
    arity: [0, Number.POSITIVE_INFINITY],
    args: {},
    run: async (args, context) => {
      const { path, node } = find(root, [name], args.rest);
      return help(program, node, path, { json: context.json, noColor: args.flag("no-color") });
    },
  };
}
