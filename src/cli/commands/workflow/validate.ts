import { PalliumError, usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { validationText } from "../../views/validation.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "validate",
  summary: operations["workflow.validate"].summary,
  positionals: "<script.js>",
  arity: [0, 1],
  args: { script: { type: "string", description: "The script to check", valueHint: "path" } },
  operation: "workflow.validate",
  async run(args, context) {
    const [path, more] = [...args.rest, ...args.list("script")];
    if (path === undefined || more !== undefined) {
      throw usageError(
        "usage: pallium workflow validate <script.js>",
        "name one script, as an argument or with --script",
      );
    }
    const report = await operations["workflow.validate"].call(
      await context.services(),
      { path },
      observerOf(context),
    );
    const data = asJson(report);
    if (report.valid) return { data, text: validationText(path, report) };
    const error = new PalliumError(
      report.code ?? "script_invalid",
      `workflow script is invalid: ${report.error}`,
      { hints: report.hints ?? [] },
    );
    return { data, text: "", error };
  },
};
