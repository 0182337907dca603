import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { StoppedCall } from "../../../workflow/run/stop-call.ts";
import type { Command, CommandContext, CommandResult } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { endedResult } from "./end-run.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "stop",
  summary: operations["workflow.stop"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    agent: {
      type: "string",
      description: "Stop only this agent or check; the run goes on without its answer",
      valueHint: "label|id",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.stop",
  examples: ["pallium workflow stop wf-01hv…", "pallium workflow stop wf-01hv… --agent reviewer"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const ended = await operations["workflow.stop"].call(
      await context.services(),
      { ...storeOf(args), ...optional({ agent: args.text("agent") }), id },
      observerOf(context),
    );
    return "agent" in ended ? stoppedCall(context, ended) : endedResult(context, "stop", ended);
  },
};

function stoppedCall({ printer }: CommandContext, ended: StoppedCall): CommandResult {
  const { agent, agent_status: status, unchanged } = ended;
  if (unchanged) printer.notice(`agent ${agent} is ${status}: it ended by itself`);
  return { data: asJson(ended), text: `Workflow agent ${status}: ${agent}` };
}
