import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { gatesText } from "../../../views/gates.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.gate.list"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.gate.list",
  async run(args, context) {
    const [id = ""] = args.rest;
    const gates = await operations["workflow.gate.list"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(gates), text: gatesText(gates) };
  },
};
