import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "delete",
  summary: operations["workflow.delete"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    force: {
      type: "boolean",
      description: "Though edits of the run are in no checkout: they are lost",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.delete",
  examples: ["pallium workflow delete wf-1"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const deleted = await operations["workflow.delete"].call(
      await context.services(),
      { ...storeOf(args), id, force: args.flag("force") },
      observerOf(context),
    );
    const text = `Workflow run deleted: ${deleted.id} (${deleted.bytes_freed} bytes freed)`;
    return { data: asJson(deleted), text };
  },
};
