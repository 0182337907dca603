import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, CommandContext, CommandResult, ParsedArgs } from "../../command.ts";
import { planText } from "../../views/plan.ts";
import { observerOf } from "../observer.ts";
import { LIMIT_ARGS, limitsOf } from "./limit-args.ts";
import { backgroundResult, reportResult } from "./run.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "resume",
  summary: operations["workflow.resume"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    plan: {
      type: "boolean",
      description:
        "Only say which calls would be taken from the journal and which would run, and why",
    },
    script: {
      type: "string",
      description: "With --plan: plan with this script in the place of the stored one",
      valueHint: "path",
    },
    ...LIMIT_ARGS,
    ...STORE_ARGS,
  },
  operation: "workflow.resume",
  examples: [
    "pallium workflow resume wf-01hv… --max-budget-usd 2",
    "pallium workflow resume wf-01hv… --plan --script edited.js",
  ],
  async run(args, context) {
    if (args.flag("plan")) return plan(args, context);
    refuseScript(args);
    const [id = ""] = args.rest;
    const request = { ...limitsOf(args), ...storeOf(args), id };
    const services = await context.services();
    if (args.flag("background")) {
      return backgroundResult(
        await operations["workflow.resume.background"].call(services, request, observerOf(context)),
      );
    }
    return reportResult(
      await operations["workflow.resume"].call(services, request, observerOf(context)),
    );
  },
};

async function plan(args: ParsedArgs, context: CommandContext): Promise<CommandResult> {
  const [id = ""] = args.rest;
  const report = await operations["workflow.plan"].call(
    await context.services(),
    { ...storeOf(args), ...optional({ script: args.text("script") }), id },
    observerOf(context),
  );
  return { data: asJson(report), text: planText(report) };
}

function refuseScript(args: ParsedArgs): void {
  const script = args.text("script");
  if (script === undefined) return;
  const [id = ""] = args.rest;
  throw usageError(
    "a run is resumed with its own script; --script needs --plan",
    `run it with another script: pallium workflow run --id ${id} --script ${script}`,
  );
}
