import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { toolsText } from "../../views/tools.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.tools"].summary,
  arity: [0, 0],
  args: {
    kind: {
      type: "string",
      description: "Only one kind: control, agent, verification or pallium",
      valueHint: "kind",
    },
  },
  operation: "workflow.tools",
  async run(args, context) {
    const tools = await operations["workflow.tools"].call(
      await context.services(),
      optional({ kind: args.text("kind") }),
      observerOf(context),
    );
    return { data: asJson(tools), text: toolsText(tools) };
  },
};
