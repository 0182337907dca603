/** What `pause` and `stop` share: both ask a run to end and wait for it. */
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export function endRunCommand(name: "pause" | "stop"): Command {
  return {
    name,
    summary: operations[`workflow.${name}`].summary,
    positionals: "<run-id>",
    arity: [1, 1],
    args: STORE_ARGS,
    operation: `workflow.${name}`,
    async run(args, context) {
      const [id = ""] = args.rest;
      const ended = await operations[`workflow.${name}`].call(
        await context.services(),
        { ...storeOf(args), id },
        observerOf(context),
      );
      if (ended.unchanged)
        context.printer.notice(`run ${id} is ${ended.status}: nothing to ${name}`);
      return { data: asJson(ended), text: `Workflow ${ended.status}: ${ended.id}` };
    },
  };
}
