import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { packText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";

export const command: Command = {
  name: "show",
  summary: operations["workflow.library.show"].summary,
  positionals: "<pack>",
  arity: [1, 1],
  args: {},
  operation: "workflow.library.show",
  async run(args, context) {
    const [pack = ""] = args.rest;
    const shown = await operations["workflow.library.show"].call(
      await context.services(),
      { pack },
      observerOf(context),
    );
    return { data: asJson(shown), text: packText(shown) };
  },
};
