import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { liveLines } from "../../views/sessions/live.ts";
import { observerOf } from "../observer.ts";
import { LIVE_ARGS } from "./live-args.ts";
import { recalledResult } from "./recalled-result.ts";

export const command: Command = {
  name: "live",
  summary: operations["sessions.live"].summary,
  arity: [0, 0],
  args: LIVE_ARGS,
  examples: ["pallium sessions live", "pallium sessions live --all --details"],
  operation: "sessions.live",
  async run(args, context) {
    const report = await operations["sessions.live"].call(
      await context.services(),
      { all: args.flag("all") },
      observerOf(context),
    );
    const options = { columns: context.environment.columns, details: args.flag("details") };
    const text = liveLines(report, { ...options, colours: false }).join("\n");
    if (report.sessions.length === 0) return { data: asJson(report), text };
    const styledText = liveLines(report, { ...options, colours: true }).join("\n");
    return recalledResult(context, report, text, styledText);
  },
};
