import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { refuseBackground, reportResult } from "./run.ts";
import { LIMIT_ARGS, limitsOf, observerOf, STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "resume",
  summary: "Continue a run where it ended; finished calls are not paid for again",
  positionals: "<run-id>",
  arity: [1, 1],
  args: { ...LIMIT_ARGS, ...STORE_ARGS },
  operation: "workflow.resume",
  examples: ["pallium workflow resume wf-01hv… --max-budget-usd 2"],
  async run(args, context) {
    refuseBackground(args);
    const [id = ""] = args.rest;
    const report = await operations["workflow.resume"].call(
      await context.services(),
      { ...limitsOf(args), ...storeOf(args), id },
      observerOf(context),
    );
    return reportResult(report);
  },
};
