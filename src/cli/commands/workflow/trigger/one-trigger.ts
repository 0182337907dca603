/** What `show`, `enable` and `disable` share: each takes a name and reports that trigger. */
import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { triggerText } from "../../../views/triggers.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export function triggerCommand(verb: "show" | "enable" | "disable"): Command {
  const operation = operations[`workflow.trigger.${verb}`];
  return {
    name: verb,
    summary: operation.summary,
    positionals: "<name>",
    arity: [1, 1],
    args: STORE_ARGS,
    operation: `workflow.trigger.${verb}`,
    async run(args, context) {
      const [name = ""] = args.rest;
      const trigger = await operation.call(
        await context.services(),
        { ...storeOf(args), name },
        observerOf(context),
      );
      return { data: asJson(trigger), text: triggerText(trigger) };
    },
  };
}
