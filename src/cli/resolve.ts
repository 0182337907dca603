import type { CommandGroup, CommandLeaf, CommandNode } from "./command.ts";
import { beforeEndOfFlags, END_OF_FLAGS, readFlag } from "./flag-token.ts";
import { isGlobalFlag } from "./global-flags.ts";
import { PROGRAM_NAME } from "./program.ts";

/** Names of a command from the program's own down, without aliases: `pallium`, `workflow`, `list`. */
export type CommandPath = readonly [string, ...string[]];

export interface Resolved {
  readonly path: CommandPath;
  /** The command, or the group where no command was named. */
  readonly node: CommandNode;
  /** The words left for it: its flags and positionals, and the global flags. */
  readonly words: readonly string[];
  /** The word that names no child of the group. */
  readonly unknown?: string;
  /** Whether the bare word `help` stood somewhere below a group. */
  readonly help: boolean;
}

export interface NamedNode {
  readonly name: string;
  readonly node: CommandNode;
}

/** The child of a group that answers to a word, under its own name. */
export function findChild(group: CommandGroup, word: string): NamedNode | undefined {
  for (const [name, node] of Object.entries(group.children)) {
    if (name === word || node.aliases?.includes(word)) return { name, node };
  }
  return undefined;
}

function withoutHelp(words: readonly string[]): readonly string[] {
  const flags = beforeEndOfFlags(words);
  return [...flags.filter((word) => word !== "help"), ...words.slice(flags.length)];
}

/** The words of a command that takes any: none where help is asked for, by that word alone or in front. */
function freeText(given: readonly string[], name: string | undefined): readonly string[] {
  const at = given.findIndex((word) => !isGlobalFlag(word));
  if (given[at] !== name) return [];
  const words = given.toSpliced(at, 1);
  const own = words.filter((word) => !isGlobalFlag(word));
  return own.length === 1 && own[0] === "help" ? [] : words;
}

/**
 * Finds the command that the words name. Only global flags may stand in front of a name; within a
 * group the word `help` asks for help at any position in front of `--`, but for commands that take any
 * words: there it must stand alone.
 */
export function resolve(root: CommandGroup, argv: readonly string[]): Resolved {
  let path: CommandPath = [PROGRAM_NAME];
  let node: CommandNode = root;
  let words = argv;
  let help = false;
  while (node.kind === "group") {
    const group: CommandGroup = node;
    const given: readonly string[] = words;
    if (group !== root) {
      const others = withoutHelp(words);
      help ||= others.length < words.length;
      words = others;
    }
    const index = words.findIndex((word) => !isGlobalFlag(word));
    const word = words[index];
    const child = word === undefined ? undefined : findChild(group, word);
    if (child !== undefined) {
      path = [...path, child.name];
      node = child.node;
      words = words.toSpliced(index, 1);
      const said =
        child.node.kind === "command" && child.node.freeText ? freeText(given, word) : [];
      if (said.length > 0) return { path, node, words: said, help: false };
      continue;
    }
    const isWord = word !== undefined && word !== END_OF_FLAGS && readFlag(word) === undefined;
    const name = isWord ? group.byName : group.fallback;
    const implied: CommandNode | undefined = name === undefined ? undefined : group.children[name];
    if (name === undefined || implied === undefined) {
      return { path, node, words, help, ...(isWord ? { unknown: word } : {}) };
    }
    path = [...path, name];
    node = implied;
  }
  return { path, node, words, help };
}

/** Every command below a node, in the order of the registry. */
export function* leaves(
  node: CommandNode,
  path: CommandPath,
): Generator<{ readonly path: CommandPath; readonly leaf: CommandLeaf }> {
  if (node.kind === "command") {
    yield { path, leaf: node };
    return;
  }
  for (const [name, child] of Object.entries(node.children)) yield* leaves(child, [...path, name]);
}
