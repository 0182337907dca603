import { asJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import { operations } from "../../operations/table.ts";
import type { Command } from "../command.ts";
import { settingsText } from "../views/settings.ts";
import { observerOf } from "./observer.ts";

export const command: Command = {
  name: "settings",
  summary: operations.settings.summary,
  arity: [0, 0],
  args: {
    cwd: { type: "string", description: "Folder they are to be in force in", valueHint: "path" },
  },
  operation: "settings",
  examples: ["pallium settings", "pallium settings --json"],
  async run(args, context) {
    const report = await operations.settings.call(
      await context.services(),
      optional({ cwd: args.text("cwd") }),
      observerOf(context),
    );
    return { data: asJson(report), text: settingsText(report, context.environment.columns) };
  },
};
