import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "types",
  summary: operations["workflow.types"].summary,
  arity: [0, 0],
  args: {
    output: {
      type: "string",
      description: "File to write, in the place of stdout",
      valueHint: "path",
    },
    force: { type: "boolean", description: "Overwrite a file that is not one of these" },
  },
  operation: "workflow.types",
  examples: ["pallium workflow types --output .pallium/workflows/pallium.d.ts"],
  async run(args, context) {
    const types = await operations["workflow.types"].call(
      await context.services(),
      { force: args.flag("force"), ...optional({ output: args.text("output") }) },
      observerOf(context),
    );
    const text =
      types.path === "" ? types.text.trimEnd() : `Types of workflow scripts: ${types.path}`;
    return { data: asJson(types), text };
  },
};
