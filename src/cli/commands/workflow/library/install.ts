import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { observerOf } from "../../observer.ts";

export const command: Command = {
  name: "install",
  summary: operations["workflow.library.install"].summary,
  positionals: "<pack>",
  arity: [1, 1],
  args: {
    name: {
      type: "string",
      description: "Save it under this name (default: that of the pack)",
      valueHint: "name",
    },
    cwd: {
      type: "string",
      description: "Folder whose .pallium/workflows it goes to (default: this one)",
      valueHint: "path",
    },
    force: { type: "boolean", description: "Overwrite a saved workflow of that name" },
  },
  operation: "workflow.library.install",
  examples: ["pallium workflow library install security-audit"],
  async run(args, context) {
    const [pack = ""] = args.rest;
    const done = await operations["workflow.library.install"].call(
      await context.services(),
      {
        pack,
        force: args.flag("force"),
        ...optional({ name: args.text("name"), cwd: args.text("cwd") }),
      },
      observerOf(context),
    );
    return {
      data: asJson(done),
      text: `Installed workflow pack ${done.pack.name} as /${done.workflow} at ${done.path}`,
    };
  },
};
