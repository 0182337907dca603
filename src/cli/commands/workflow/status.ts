import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { statusText } from "../../views/status.ts";
import { observerOf, STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "status",
  summary: operations["workflow.status"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.status",
  async run(args, context) {
    const [id = ""] = args.rest;
    const report = await operations["workflow.status"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(report), text: statusText(report) };
  },
};
