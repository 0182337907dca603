import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import {
  SERVICE_MANAGERS,
  type ServiceManager,
  WATCH_KINDS,
  type WatchKind,
} from "../../../../workflow/triggers/types.ts";
import type { Command } from "../../../command.ts";
import { serviceText } from "../../../views/triggers.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "install",
  summary: operations["workflow.trigger.install"].summary,
  arity: [0, 0],
  args: {
    as: {
      type: "enum",
      options: [...SERVICE_MANAGERS],
      description: "Who runs the watch; the one that is there without",
    },
    kind: {
      type: "enum",
      options: [...WATCH_KINDS],
      description: "Only triggers of this kind, or all (default all)",
    },
    interval: {
      type: "string",
      description: "Time between looks (default 30s); cron looks every minute",
      valueHint: "30s",
    },
    print: { type: "boolean", description: "Only print what would be written" },
    uninstall: { type: "boolean", description: "Take it out again" },
    ...STORE_ARGS,
  },
  operation: "workflow.trigger.install",
  examples: [
    "pallium workflow trigger install",
    "pallium workflow trigger install --as cron --print",
    "pallium workflow trigger install --uninstall",
  ],
  async run(args, context) {
    const service = await operations["workflow.trigger.install"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional<{
          as: ServiceManager | undefined;
          kind: WatchKind | undefined;
          interval: string | undefined;
        }>({
          as: SERVICE_MANAGERS.find((one) => one === args.text("as")),
          kind: WATCH_KINDS.find((one) => one === args.text("kind")),
          interval: args.text("interval"),
        }),
        print: args.flag("print"),
        uninstall: args.flag("uninstall"),
      },
      observerOf(context),
    );
    return { data: asJson(service), text: serviceText(service) };
  },
};
