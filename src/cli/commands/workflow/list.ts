import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { runListText } from "../../views/run-list.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.list"].summary,
  arity: [0, 0],
  args: {
    limit: { type: "string", description: "Most runs to list", valueHint: "n", default: "50" },
    ...STORE_ARGS,
  },
  operation: "workflow.list",
  async run(args, context) {
    const limit = args.integer("limit") ?? 50;
    if (limit < 1) throw usageError("--limit must be 1 or more");
    const runs = await operations["workflow.list"].call(
      await context.services(),
      { ...storeOf(args), limit },
      observerOf(context),
    );
    return { data: asJson(runs), text: runListText(runs) };
  },
};
