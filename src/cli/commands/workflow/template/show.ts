import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { templateText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";

export const command: Command = {
  name: "show",
  summary: operations["workflow.template.show"].summary,
  positionals: "<name>",
  arity: [1, 1],
  args: {},
  operation: "workflow.template.show",
  async run(args, context) {
    const [name = ""] = args.rest;
    const template = await operations["workflow.template.show"].call(
      await context.services(),
      { name },
      observerOf(context),
    );
    return { data: asJson(template), text: templateText(template) };
  },
};
