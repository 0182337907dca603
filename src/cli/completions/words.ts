/** What may be typed where, as the completion scripts of every shell have it. */
import type { Command, CommandArg, CommandGroup, CommandNode } from "../command.ts";
import { aliasesOf, isNegatable } from "../flag-table.ts";
import { GLOBAL_ARGS } from "../global-flags.ts";
import type { NameKind } from "./names.ts";

/** Where the values of a flag or a positional come from. */
export type Values =
  | { readonly from: "nowhere" | "files" | "saved" }
  | { readonly from: NameKind }
  | { readonly from: "list"; readonly list: readonly string[] };

export interface Offer {
  readonly word: string;
  readonly summary: string;
}

export interface ValueFlag {
  /** With its dashes. */
  readonly spelling: string;
  readonly values: Values;
}

/** One place on the command line: behind the name of a group, or of a command. */
export interface Place {
  /** The names on the way there, `/workflow/run`; empty at the top. */
  readonly path: string;
  /** Names of sub-commands, aliases included, each with the place it leads to. */
  readonly children: readonly (Offer & { readonly to: string })[];
  readonly flags: readonly Offer[];
  readonly valueFlags: readonly ValueFlag[];
  readonly positionals: Values;
}

/** Every place of the command line, from the top down. */
export async function placesOf(root: CommandGroup): Promise<readonly Place[]> {
  return placesBelow(root, "");
}

async function placesBelow(node: CommandNode, path: string): Promise<readonly Place[]> {
  if (node.kind === "command") return [commandPlace(await node.load(), path)];
  const children = Object.entries(node.children).flatMap(([name, child]) =>
    [name, ...(child.aliases ?? [])]
      .filter((word) => !word.startsWith("-"))
      .map((word) => ({ word, summary: child.summary, to: `${path}/${name}` })),
  );
  const fallback = node.fallback === undefined ? undefined : node.children[node.fallback];
  const own = fallback?.kind === "command" ? await fallback.load() : undefined;
  const below = await Promise.all(
    Object.entries(node.children).map(([name, child]) => placesBelow(child, `${path}/${name}`)),
  );
  return [{ ...flagsOf(own), path, children, positionals: { from: "nowhere" } }, ...below.flat()];
}

function commandPlace(command: Command, path: string): Place {
  return { ...flagsOf(command), path, children: [], positionals: positionalValues(command, path) };
}

function flagsOf(command: Command | undefined): Pick<Place, "flags" | "valueFlags"> {
  const flags = Object.entries<CommandArg>({ ...command?.args, ...GLOBAL_ARGS });
  return {
    flags: flags.flatMap(([name, definition]) =>
      [`--${name}`, ...(isNegatable(definition) ? [`--no-${name}`] : [])].map((word) => ({
        word,
        summary: definition.description ?? "",
      })),
    ),
    valueFlags: flags
      .filter(([, definition]) => definition.type !== "boolean")
      .flatMap(([name, definition]) =>
        [name, ...aliasesOf(definition)].map((spelling) => ({
          spelling: spelling.length === 1 ? `-${spelling}` : `--${spelling}`,
          values: flagValues(name, definition),
        })),
      ),
  };
}

const SESSION_ID = "session-id";

function flagValues(name: string, definition: CommandArg): Values {
  if (definition.type === "enum") return { from: "list", list: definition.options ?? [] };
  if (name === "workflow") return { from: "workflows" };
  if (definition.valueHint === "path" || definition.valueHint === "file") return { from: "files" };
  if (definition.valueHint === SESSION_ID) return { from: "sessions" };
  return { from: definition.valueHint === "id" ? "runs" : "nowhere" };
}

/** What the first positional takes, read off how usage lines write it. */
function positionalValues({ positionals = "" }: Command, path: string): Values {
  const [, first = ""] = /^[<[]([^>\]]*)/.exec(positionals) ?? [];
  const words = first.split("|");
  if (words.includes("run-id")) return { from: "runs" };
  if (first.startsWith(SESSION_ID)) return { from: "sessions" };
  if (path.startsWith("/workflow/trigger") && first === "name") return { from: "triggers" };
  if (first === "/name") return { from: "saved" };
  if (words.length > 1) return { from: "list", list: words };
  if (positionals.includes("[repo]") || first.includes(".")) return { from: "files" };
  return { from: "nowhere" };
}
