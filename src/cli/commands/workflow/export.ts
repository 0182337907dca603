import { counted } from "../../../lib/counted.ts";
import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "export",
  summary: operations["workflow.export"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    output: {
      type: "string",
      description: "File to write (default: <run-id>.pallium.tar.gz)",
      valueHint: "file",
    },
    force: { type: "boolean", description: "Replace a file that is there" },
    ...STORE_ARGS,
  },
  operation: "workflow.export",
  examples: ["pallium workflow export wf-1 --output review.tar.gz"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const output = args.text("output");
    if (output === "") throw usageError("--output needs a file");
    const exported = await operations["workflow.export"].call(
      await context.services(),
      { ...storeOf(args), ...optional({ output }), id, force: args.flag("force") },
      observerOf(context),
    );
    const { path, bytes, files } = exported;
    const text = `Workflow run exported: ${path} (${bytes} bytes, ${counted(files, "file")})`;
    return { data: asJson(exported), text };
  },
};
