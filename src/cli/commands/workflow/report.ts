import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { reportText, styledReport } from "../../views/report.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "report",
  summary: operations["workflow.report"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    related: { type: "boolean", description: "Sessions of agents that were about the same, too" },
    ...STORE_ARGS,
  },
  operation: "workflow.report",
  async run(args, context) {
    const [id = ""] = args.rest;
    const report = await operations["workflow.report"].call(
      await context.services(),
      { ...storeOf(args), id, related: args.flag("related") },
      observerOf(context),
    );
    return { data: asJson(report), text: reportText(report), styledText: styledReport(report) };
  },
};
