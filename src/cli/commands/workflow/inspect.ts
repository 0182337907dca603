import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { inspectionText } from "../../views/status.ts";
import { observerOf, STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "inspect",
  summary: operations["workflow.inspect"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.inspect",
  async run(args, context) {
    const [id = ""] = args.rest;
    const report = await operations["workflow.inspect"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(report), text: inspectionText(report) };
  },
};
