import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { endedResult } from "./end-run.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "pause",
  summary: operations["workflow.pause"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    drain: { type: "boolean", description: "Let the agents at work finish first; begin no other" },
    ...STORE_ARGS,
  },
  operation: "workflow.pause",
  async run(args, context) {
    const [id = ""] = args.rest;
    const drain = args.flag("drain");
    if (drain)
      context.printer.progress("waiting for the agents at work; Ctrl-C ends only the wait");
    const ended = await operations["workflow.pause"].call(
      await context.services(),
      { ...storeOf(args), id, drain },
      observerOf(context),
    );
    return endedResult(context, "pause", ended);
  },
};
