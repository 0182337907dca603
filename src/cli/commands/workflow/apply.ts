import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { patchesText } from "../../views/patches.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "apply",
  summary: operations["workflow.apply"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.apply",
  async run(args, context) {
    const [id = ""] = args.rest;
    const done = await operations["workflow.apply"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    return { data: asJson(done), text: patchesText("apply", done.applied) };
  },
};
