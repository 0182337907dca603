import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "delete",
  summary: operations["workflow.trigger.delete"].summary,
  positionals: "<name>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.trigger.delete",
  async run(args, context) {
    const [name = ""] = args.rest;
    const deleted = await operations["workflow.trigger.delete"].call(
      await context.services(),
      { ...storeOf(args), name },
      observerOf(context),
    );
    return { data: asJson(deleted), text: `Workflow trigger deleted: ${name}` };
  },
};
