import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { pruneText } from "../../views/sessions/keeping.ts";
import { observerOf } from "../observer.ts";
import { FILTER_ARGS, filterOf } from "./filter-args.ts";

export const command: Command = {
  name: "prune",
  summary: operations["sessions.prune"].summary,
  arity: [0, 0],
  args: {
    gone: { type: "boolean", description: "Only sessions whose transcripts are gone" },
    "older-than": {
      type: "string",
      description: "Only sessions that were not written since: a date, or a time ago such as 90d",
      valueHint: "when",
    },
    "dry-run": { type: "boolean", description: "Only say what would be removed" },
    ...FILTER_ARGS,
  },
  operation: "sessions.prune",
  examples: [
    "pallium sessions prune --gone --dry-run",
    "pallium sessions prune --older-than 180d --repo .",
  ],
  async run(args, context) {
    const report = await operations["sessions.prune"].call(
      await context.services(),
      {
        ...filterOf(args),
        ...optional({ older_than: args.text("older-than") }),
        gone: args.flag("gone"),
        dry_run: args.flag("dry-run"),
      },
      observerOf(context),
    );
    return { data: asJson(report), text: pruneText(report) };
  },
};
