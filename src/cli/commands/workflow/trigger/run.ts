import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { observerOf } from "../../observer.ts";
import { backgroundResult, reportResult } from "../run.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "run",
  summary: operations["workflow.trigger.run"].summary,
  positionals: "<name>",
  arity: [1, 1],
  args: {
    id: { type: "string", description: "Id of the run", valueHint: "id" },
    "allow-network": { type: "boolean", description: "Let agents that ask for it use the network" },
    background: {
      type: "boolean",
      description: "Go on in a process of its own and return at once",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.trigger.run",
  async run(args, context) {
    const [name = ""] = args.rest;
    const outcome = await operations["workflow.trigger.run"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional({ id: args.text("id") }),
        name,
        allow_network: args.flag("allow-network"),
        background: args.flag("background"),
      },
      observerOf(context),
    );
    if ("snapshot" in outcome) return reportResult(outcome);
    if ("owned_session_id" in outcome) return backgroundResult(outcome);
    const text = `Workflow trigger ${name} skipped: ${outcome.reason}`;
    return { data: asJson(outcome), text };
  },
};
