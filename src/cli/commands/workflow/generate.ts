import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, CommandArgs } from "../../command.ts";
import { observerOf } from "../observer.ts";

const ARGS = {
  cwd: { type: "string", description: "Folder of the repository", valueHint: "path" },
  output: {
    type: "string",
    description: "Write the script to this file; a relative one begins at --cwd",
    valueHint: "path",
  },
  style: {
    type: "string",
    default: "auto",
    description: "auto, review, test-fix or research; auto goes by --test-command",
    valueHint: "style",
  },
  "test-command": {
    type: "string",
    description: "The command that must succeed, for test-fix",
    valueHint: "command",
  },
  "max-rounds": { type: "string", description: "Most fixes", default: "3", valueHint: "n" },
  save: {
    type: "string",
    description: "Save the script under this name; goes before --output",
    valueHint: "name",
  },
  user: { type: "boolean", description: "With --save: in the home directory" },
  force: { type: "boolean", description: "Overwrite what is there" },
  llm: { type: "boolean", description: "Have the provider of agents write the script" },
  codex: { type: "string", description: "Codex program for --llm", valueHint: "path" },
} as const satisfies CommandArgs;

export const command: Command = {
  name: "generate",
  summary: operations["workflow.generate"].summary,
  positionals: "<task...>",
  arity: [0, Number.POSITIVE_INFINITY],
  args: ARGS,
  operation: "workflow.generate",
  examples: [
    'pallium workflow generate "make the tests pass" --test-command "npm test" --save fix',
    'pallium workflow generate "review the parser" --style review > review.js',
  ],
  async run(args, context) {
    const made = await operations["workflow.generate"].call(
      await context.services(),
      {
        task: args.rest.join(" "),
        user: args.flag("user"),
        force: args.flag("force"),
        llm: args.flag("llm"),
        ...optional({
          cwd: args.text("cwd"),
          output: args.text("output"),
          style: args.text("style"),
          test_command: args.text("test-command"),
          max_rounds: args.integer("max-rounds"),
          save: args.text("save"),
          codex: args.text("codex"),
        }),
      },
      observerOf(context),
    );
    const text = made.path === "" ? made.script.trimEnd() : `Workflow generated: ${made.path}`;
    return { data: asJson(made), text };
  },
};
