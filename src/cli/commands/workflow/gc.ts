import { counted } from "../../../lib/counted.ts";
import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { CollectReport } from "../../../workflow/gc/collect-runs.ts";
import type { Command } from "../../command.ts";
import { gcText } from "../../views/gc.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "gc",
  summary: operations["workflow.gc"].summary,
  arity: [0, 0],
  args: {
    "older-than": {
      type: "string",
      description: "Days since a run ended; 0 for all that ended (default 7)",
      valueHint: "days",
    },
    "include-failed": {
      type: "boolean",
      description: "Failed and interrupted runs too, which can then not be resumed any more",
    },
    "max-size": {
      type: "string",
      description:
        "Then the oldest runs that ended, until the files of all have no more, such as 5G",
      valueHint: "size",
    },
    "dry-run": { type: "boolean", description: "Only say what would be removed" },
    stale: {
      type: "boolean",
      description: "First mark runs as interrupted whose runner died, with --dry-run too",
    },
    "stale-after-minutes": {
      type: "string",
      description: "How long a runner that cannot be seen from here is believed to live",
      valueHint: "n",
      default: "15",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.gc",
  examples: [
    "pallium workflow gc --dry-run",
    "pallium workflow gc --older-than 30 --include-failed",
    "pallium workflow gc --max-size 5G",
  ],
  async run(args, context) {
    const report = await operations["workflow.gc"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional({
          include_failed: args.given("include-failed") ? args.flag("include-failed") : undefined,
          max_size: args.text("max-size"),
          older_than: args.integer("older-than"),
          stale_after_minutes: args.integer("stale-after-minutes"),
        }),
        dry_run: args.flag("dry-run"),
        stale: args.flag("stale"),
      },
      observerOf(context),
    );
    const error = incomplete(report);
    return { data: asJson(report), text: gcText(report), ...(error && { error }) };
  },
};

/** That a run is in use is no failure: the next collection finds it. */
function incomplete({ skipped }: CollectReport): PalliumError | undefined {
  const failed = skipped.filter(({ code }) => code !== "run_in_use");
  if (failed.length === 0) return undefined;
  const runs = counted(failed.length, "run");
  return new PalliumError("gc_incomplete", `files of ${runs} could not be removed`, {
    hints: ["see above why; the next pallium workflow gc goes on with them"],
  });
}
