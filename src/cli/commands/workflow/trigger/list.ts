import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { triggerListText } from "../../../views/triggers.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.trigger.list"].summary,
  arity: [0, 0],
  args: STORE_ARGS,
  operation: "workflow.trigger.list",
  async run(args, context) {
    const triggers = await operations["workflow.trigger.list"].call(
      await context.services(),
      storeOf(args),
      observerOf(context),
    );
    return { data: asJson(triggers), text: triggerListText(triggers) };
  },
};
