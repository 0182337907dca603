import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import { TRIGGER_KINDS } from "../../../../workflow/triggers/types.ts";
import type { Command } from "../../../command.ts";
import { triggerText } from "../../../views/triggers.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "add",
  summary: operations["workflow.trigger.add"].summary,
  positionals: "<name> [task...]",
  arity: [1, Number.POSITIVE_INFINITY],
  args: {
    cwd: { type: "string", description: "Directory its runs work in", valueHint: "path" },
    kind: {
      type: "enum",
      options: [...TRIGGER_KINDS],
      description: "What starts it (default manual, or what --every or --cron say)",
    },
    every: {
      type: "string",
      description: "Time between runs of an interval, such as 15m",
      valueHint: "time",
    },
    cron: {
      type: "string",
      description: "Minute, hour, day, month and weekday of runs",
      valueHint: "pattern",
    },
    tz: {
      type: "string",
      description: "Time zone of --cron, such as Europe/Berlin (default your own)",
      valueHint: "zone",
    },
    path: {
      type: "string",
      multiple: true,
      description:
        "Files that count for on-changed, as in .gitignore, from the top of the repository; may be given several times",
      valueHint: "glob",
    },
    workflow: { type: "string", description: "Saved workflow to run", valueHint: "name" },
    script: { type: "string", description: "Workflow script to run", valueHint: "path" },
    args: { type: "string", description: "JSON the script reads as `args`", valueHint: "json" },
    disabled: { type: "boolean", description: "Leave it switched off" },
    ...STORE_ARGS,
  },
  operation: "workflow.trigger.add",
  examples: [
    'pallium workflow trigger add review "review what changed" --kind on-changed --path "src/**"',
    'pallium workflow trigger add daily --workflow triage --cron "0 9 * * 1-5" --tz Europe/Berlin',
  ],
  async run(args, context) {
    const [name = "", ...task] = args.rest;
    const trigger = await operations["workflow.trigger.add"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional({
          cwd: args.text("cwd"),
          kind: args.text("kind"),
          workflow: args.text("workflow"),
          script: args.text("script"),
          args: args.text("args"),
          every: args.text("every"),
          cron: args.text("cron"),
          tz: args.text("tz"),
        }),
        name,
        task: task.join(" "),
        disabled: args.flag("disabled"),
        paths: args.list("path"),
      },
      observerOf(context),
    );
    return { data: asJson(trigger), text: triggerText(trigger) };
  },
};
