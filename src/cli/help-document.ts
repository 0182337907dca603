/** Help for agents: what `help --json` prints. */
import type { Json, JsonObject } from "../lib/json.ts";
import type { Command, CommandArg, CommandArgs, CommandNode } from "./command.ts";
import { aliasesOf } from "./flag-table.ts";
import { GLOBAL_ARGS } from "./global-flags.ts";
import { type CommandPath, leaves } from "./resolve.ts";

function describeFlag(name: string, definition: CommandArg): JsonObject {
  const aliases = aliasesOf(definition);
  return {
    name,
    type: definition.type,
    description: definition.description ?? "",
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(definition.type === "enum" ? { options: definition.options ?? [] } : {}),
    ...(definition.default === undefined ? {} : { default: definition.default }),
    ...(definition.required === true ? { required: true } : {}),
    ...(definition.type !== "boolean" && definition.multiple === true ? { multiple: true } : {}),
  };
}

function describeFlags(args: CommandArgs): readonly JsonObject[] {
  return Object.entries(args).map(([name, definition]) => describeFlag(name, definition));
}

async function describeCommand(
  path: CommandPath,
  command: Command,
  aliases: readonly string[],
  outputSchema: (operation: string) => Promise<Json>,
): Promise<JsonObject> {
  const output =
    command.operation === undefined ? {} : { output: await outputSchema(command.operation) };
  const variants = await Promise.all(
    (command.variants ?? []).map(async ({ when, operation }) => ({
      when,
      output: await outputSchema(operation),
    })),
  );
  return {
    name: path.slice(1).join(" "),
    summary: command.summary,
    positionals: command.positionals ?? "",
    flags: describeFlags(command.args),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...output,
    ...(variants.length === 0 ? {} : { variants }),
    ...(command.streams === true ? { streams: true } : {}),
  };
}

/**
 * Describes every command below a node: names (without the program's), positionals, flags, and the
 * JSON Schema of what it prints with `--json`, also of what it prints when it is used in another way.
 */
export async function helpDocument(
  node: CommandNode,
  path: CommandPath,
  version: string,
  outputSchema: (operation: string) => Promise<Json>,
): Promise<JsonObject> {
  const commands = await Promise.all(
    [...leaves(node, path)].map(async ({ path, leaf }) =>
      describeCommand(path, await leaf.load(), leaf.aliases ?? [], outputSchema),
    ),
  );
  return { name: path[0], version, global_flags: describeFlags(GLOBAL_ARGS), commands };
}
