import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { patchesText } from "../../views/patches.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "revert",
  summary: operations["workflow.revert"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.revert",
  async run(args, context) {
    const [id = ""] = args.rest;
    const done = await operations["workflow.revert"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(done), text: patchesText("revert", done.reverted) };
  },
};
