import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { runListText } from "../../views/run-list.ts";
import { observerOf } from "../observer.ts";
import { newestArgs, newestOf } from "./newest-args.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.list"].summary,
  arity: [0, 0],
  args: { ...newestArgs("Most runs to list", 50), ...STORE_ARGS },
  operation: "workflow.list",
  async run(args, context) {
    const runs = await operations["workflow.list"].call(
      await context.services(),
      { ...storeOf(args), limit: newestOf(args) },
      observerOf(context),
    );
    return { data: asJson(runs), text: runListText(runs) };
  },
};
