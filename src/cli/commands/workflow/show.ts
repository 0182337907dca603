import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { snapshotText } from "../../views/run.ts";
import { observerOf, STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "show",
  summary: operations["workflow.show"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.show",
  async run(args, context) {
    const [id = ""] = args.rest;
    const report = await operations["workflow.show"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(report), text: snapshotText(report) };
  },
};
