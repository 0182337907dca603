import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import {
  WATCH_KINDS,
  type WatchKind,
  type WatchReport,
} from "../../../../workflow/triggers/types.ts";
import type { Command, OutputLine } from "../../../command.ts";
import { watchText } from "../../../views/triggers.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export const command: Command = {
  name: "watch",
  summary: operations["workflow.trigger.watch"].summary,
  arity: [0, 0],
  args: {
    kind: {
      type: "enum",
      options: [...WATCH_KINDS],
      description: "Only triggers of this kind, or all",
      default: "on-changed",
    },
    interval: {
      type: "string",
      description: "Time between looks; what is due at a time is looked at then",
      valueHint: "30s",
      default: "30s",
    },
    once: { type: "boolean", description: "Look once and end" },
    background: {
      type: "boolean",
      description: "Runs go on in processes of their own, as they do without --once",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.trigger.watch",
  streams: true,
  examples: ["pallium workflow trigger watch --kind all", "pallium workflow trigger watch --once"],
  async run(args, context) {
    const kind = WATCH_KINDS.find((one) => one === args.text("kind"));
    const reports = await operations["workflow.trigger.watch"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional<{
          kind: WatchKind | undefined;
          interval: string | undefined;
          background: boolean | undefined;
        }>({
          kind,
          interval: args.text("interval"),
          background: args.given("background") ? args.flag("background") : undefined,
        }),
        once: args.flag("once"),
      },
      observerOf(context),
    );
    return { lines: linesOf(reports), live: true };
  },
};

async function* linesOf(reports: AsyncIterable<WatchReport>): AsyncGenerator<OutputLine> {
  for await (const report of reports) yield { data: asJson(report), text: watchText(report) };
}
