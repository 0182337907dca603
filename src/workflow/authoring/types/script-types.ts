/** TypeScript declarations of what workflow scripts can call, made from the tables that the runtime goes by. */
import {
  AGENT_MODES,
  AGENT_OPTIONS,
  APPLY_WORDS,
  CHECK_OPTIONS,
  GATE_OPTIONS,
  HANDOFF_OPTIONS,
  ISOLATIONS,
  REVIEW_OPTIONS,
  TASK_OPTIONS,
  UNTIL_GREEN_OPTIONS,
  VERIFY_OPTIONS,
} from "../../calls/option-specs.ts";
import type { OptionSpec } from "../../calls/options.ts";
import { TOOLS, type WorkflowTool } from "../tools-catalogue.ts";
import {
  AGENT_DOCS,
  CHECK_DOCS,
  GATE_DOCS,
  HANDOFF_DOCS,
  REVIEW_DOCS,
  TASK_DOCS,
  UNTIL_GREEN_DOCS,
  VERIFY_DOCS,
} from "./option-docs.ts";
import { SHAPES } from "./shapes.ts";
import { SIGNATURES } from "./signatures.ts";

/** The first line of every file of types, by which ours are known. */
export const TYPES_MARK = "// Types of pallium workflow scripts, made by `pallium workflow types`.";

const HEADER = `${TYPES_MARK}
//
// A script that begins with this line has its calls checked and completed by editors:
//   /// <reference path="./pallium.d.ts" />
// A \`return\` at the top of a script is right, whatever an editor says of it.`;

interface OptionsType {
  readonly name: string;
  readonly of: string;
  readonly spec: OptionSpec;
  readonly docs: Readonly<Record<string, string>>;
}

const OPTIONS: readonly OptionsType[] = [
  { name: "AgentOptions", of: "agent", spec: AGENT_OPTIONS, docs: AGENT_DOCS },
  { name: "CheckOptions", of: "check", spec: CHECK_OPTIONS, docs: CHECK_DOCS },
  { name: "GateOptions", of: "gate", spec: GATE_OPTIONS, docs: GATE_DOCS },
  {
    name: "UntilGreenOptions",
    of: "verify.untilGreen",
    spec: UNTIL_GREEN_OPTIONS,
    docs: UNTIL_GREEN_DOCS,
  },
  { name: "VerifyOptions", of: "pallium.verify", spec: VERIFY_OPTIONS, docs: VERIFY_DOCS },
  { name: "ReviewOptions", of: "pallium.review", spec: REVIEW_OPTIONS, docs: REVIEW_DOCS },
  { name: "HandoffOptions", of: "pallium.handoff", spec: HANDOFF_OPTIONS, docs: HANDOFF_DOCS },
  { name: "TaskOptions", of: "pallium.task.start", spec: TASK_OPTIONS, docs: TASK_DOCS },
];

const TYPES: Readonly<Record<OptionSpec[string], string>> = {
  text: "string",
  texts: "readonly string[]",
  seconds: "number",
  count: "number | string",
  boolean: "boolean",
  schema: "S",
};

/** Known words of an option, which is text all the same: in a variable they widen to that. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  mode: AGENT_MODES,
  isolation: ISOLATIONS,
  apply: APPLY_WORDS,
};

/** The text of a `.d.ts` file. */
export function scriptTypes(): string {
  const members = TOOLS.map((tool) => ({ tool, path: tool.name.split(".") }));
  return `${[
    HEADER,
    "/** The value of --args, or of what called this workflow; `null` without. */\ndeclare const args: any;",
    ...declarations(members, "declare "),
    "/** One stage of `pipeline`: what the stage before it came to, the item, and its place among the items. */\ntype Stage<P, T, R> = (previous: P, item: T, index: number) => R;",
    ...OPTIONS.map(optionsType),
    SHAPES,
  ].join("\n\n")}\n`;
}

interface Member {
  readonly tool: WorkflowTool;
  /** What is left of its name inside of the namespaces that hold it. */
  readonly path: readonly string[];
}

/** Functions at hand, and a namespace for each first part of a longer name. */
function declarations(members: readonly Member[], prefix: "declare " | ""): readonly string[] {
  const here = members
    .filter(({ path }) => path.length === 1)
    .map(({ tool, path }) => declaration(tool, path[0] ?? "", prefix));
  const inner = Map.groupBy(
    members.filter(({ path }) => path.length > 1),
    ({ path }) => path[0] ?? "",
  );
  const namespaces = [...inner].map(([name, within]) => {
    const body = declarations(
      within.map(({ tool, path }) => ({ tool, path: path.slice(1) })),
      "",
    );
    return `${prefix}namespace ${name} {\n${indented(body.join("\n\n"))}\n}`;
  });
  return [...here, ...namespaces];
}

function declaration(tool: WorkflowTool, name: string, prefix: string): string {
  const { functions = [], type } = SIGNATURES[tool.name] ?? {};
  const docs = comment([
    tool.description,
    ...(tool.notes === undefined ? [] : ["", ...tool.notes.map((note) => `- ${note}`)]),
    `@returns ${tool.returns}`,
    "@example",
    ...tool.example.split("\n"),
  ]);
  const lines =
    type === undefined
      ? functions.map((signature) => `${docs}\n${prefix}function ${name}${signature};`)
      : [`${docs}\n${prefix}const ${name}: ${type};`];
  return lines.join("\n");
}

function optionsType({ name, of, spec, docs }: OptionsType): string {
  const hasSchema = Object.values(spec).includes("schema");
  const members = Object.entries(spec).flatMap(([option, type]) => {
    const words = WORDS[option]?.map((word) => JSON.stringify(word));
    const written = words === undefined ? TYPES[type] : [...words, "(string & {})"].join(" | ");
    const camel = option.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const names = camel === option ? [option] : [camel, option];
    return names.map((key) => `${comment([docs[option] ?? ""])}\n${key}?: ${written} | null;`);
  });
  const parameters = hasSchema ? "<S extends JsonSchema = JsonSchema>" : "";
  return `${comment([`Options of \`${of}\`; names in camel and in snake case are the same.`])}
interface ${name}${parameters} {
${indented(members.join("\n"))}
}`;
}

function comment(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 1) return `/** ${safe[0]} */`;
  return ["/**", ...safe.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
