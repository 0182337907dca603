import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { templatesText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.template.list"].summary,
  arity: [0, 0],
  args: {},
  operation: "workflow.template.list",
  async run(_args, context) {
    const templates = await operations["workflow.template.list"].call(
      await context.services(),
      {},
      observerOf(context),
    );
    return { data: asJson(templates), text: templatesText(templates) };
  },
};
