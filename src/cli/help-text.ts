/** Help for people, made from the definitions. */
import { wrap } from "../lib/wrap.ts";
import type { Command, CommandArg, CommandArgs, CommandGroup } from "./command.ts";
import { aliasesOf, isNegatable } from "./flag-table.ts";
import { GLOBAL_ARGS } from "./global-flags.ts";
import type { CommandPath } from "./resolve.ts";
import { usageLine } from "./usage.ts";

type Row = readonly [label: string, description: string];

const WIDEST_LABEL = 30;

/** Two columns; a label that is too wide for its own has its description on the next line. */
function table(rows: readonly Row[], width: number): readonly string[] {
  const widest = Math.max(...rows.map(([label]) => label.length));
  const column = 4 + Math.min(widest, WIDEST_LABEL);
  return rows.flatMap(([label, description]) => {
    const [first = "", ...others] = wrap(description, Math.max(20, width - column));
    const indented = others.map((line) => " ".repeat(column) + line);
    const start = `  ${label}`;
    if (start.length + 2 > column) return [start, " ".repeat(column) + first, ...indented];
    return [(start.padEnd(column) + first).trimEnd(), ...indented];
  });
}

function section(title: string, rows: readonly Row[], width: number): readonly string[] {
  return rows.length === 0 ? [] : ["", `${title}:`, ...table(rows, width)];
}

function flagRow(name: string, definition: CommandArg): Row {
  const spelled = [name, ...aliasesOf(definition)].map((spelling) =>
    spelling.length === 1 ? `-${spelling}` : `--${spelling}`,
  );
  if (isNegatable(definition)) spelled.push(`--no-${name}`);
  const hint =
    definition.valueHint ?? (definition.type === "enum" ? definition.options?.join("|") : name);
  const value = definition.type === "boolean" ? "" : ` <${hint}>`;
  const repeated = definition.type !== "boolean" && definition.multiple === true;
  const notes = [
    ...(definition.default === undefined ? [] : [`default: ${definition.default}`]),
    ...(repeated ? ["may be repeated"] : []),
    ...(definition.required === true ? ["required"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  return [spelled.join(", ") + value, `${definition.description ?? ""}${note}`];
}

function flagRows(args: CommandArgs): readonly Row[] {
  return Object.entries(args).map(([name, definition]) => flagRow(name, definition));
}

/** Help of one command, in lines of `width` characters where words allow. */
export function commandHelp(path: CommandPath, command: Command, width: number): string {
  const examples = (command.examples ?? []).map((example) => `  ${example}`);
  return [
    ...wrap(command.summary, width),
    "",
    "Usage:",
    `  ${usageLine(path, command)}`,
    ...section("Flags", flagRows(command.args), width),
    ...section("Flags of every command", flagRows(GLOBAL_ARGS), width),
    ...(examples.length === 0 ? [] : ["", "Examples:", ...examples]),
  ].join("\n");
}

/** Help of a group: its commands, each with its summary; `width` as for a command. */
export function groupHelp(path: CommandPath, group: CommandGroup, width: number): string {
  const rows = Object.entries(group.children).map(([name, node]): Row => {
    const aliases = (node.aliases ?? []).filter((alias) => !alias.startsWith("-"));
    return [[name, ...aliases].join(", "), node.summary];
  });
  const called = path.join(" ");
  return [
    ...wrap(group.summary, width),
    "",
    "Usage:",
    `  ${called} ${group.fallback === undefined ? "<command>" : "[command]"} [flags]`,
    ...section("Commands", rows, width),
    ...section("Flags of every command", flagRows(GLOBAL_ARGS), width),
    "",
    ...wrap(`Run ${called} <command> --help for the flags of a command.`, width),
  ].join("\n");
}
