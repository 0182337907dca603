import { counted } from "../../../lib/counted.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "import",
  summary: operations["workflow.import"].summary,
  positionals: "<file>",
  arity: [1, 1],
  args: {
    id: {
      type: "string",
      description: "Id that the run gets here (default: the one it had)",
      valueHint: "id",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.import",
  examples: ["pallium workflow import review.tar.gz --id wf-review"],
  async run(args, context) {
    const [file = ""] = args.rest;
    const imported = await operations["workflow.import"].call(
      await context.services(),
      { ...storeOf(args), ...optional({ id: args.text("id") }), file },
      observerOf(context),
    );
    const { id, status, files } = imported;
    const text = `Workflow run imported: ${id} (${status}, ${counted(files, "file")})`;
    return { data: asJson(imported), text };
  },
};
