import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "save",
  summary: operations["workflow.save"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    name: { type: "string", description: "Name to save it under", valueHint: "name" },
    user: {
      type: "boolean",
      description: "Save it in the home directory, for all repositories",
    },
    force: { type: "boolean", description: "Overwrite a saved workflow of that name" },
    ...STORE_ARGS,
  },
  operation: "workflow.save",
  examples: ["pallium workflow save wf-1 --name branch-review"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const saved = await operations["workflow.save"].call(
      await context.services(),
      {
        ...storeOf(args),
        id,
        name: args.text("name") ?? "",
        user: args.flag("user"),
        force: args.flag("force"),
      },
      observerOf(context),
    );
    return { data: asJson(saved), text: `Workflow saved: ${saved.path}` };
  },
};
