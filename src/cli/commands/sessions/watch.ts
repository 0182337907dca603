import { usageError } from "../../../lib/errors.ts";
import { operations } from "../../../operations/table.ts";
import type { LiveReport } from "../../../sessions/live/types.ts";
import { coloursWanted, isDumb } from "../../colours.ts";
import type { Command, OutputLine, ScreenView } from "../../command.ts";
import { liveLines, liveRows } from "../../views/sessions/live.ts";
import { observerOf } from "../observer.ts";
import { LIVE_ARGS } from "./live-args.ts";
import { announceRecalled } from "./recalled-result.ts";

export const command: Command = {
  name: "watch",
  summary: operations["sessions.watch"].summary,
  arity: [0, 0],
  args: LIVE_ARGS,
  examples: ["pallium sessions watch", "pallium sessions watch --details"],
  async run(args, context) {
    if (context.json) {
      throw usageError(
        "sessions watch cannot be used with --json",
        "ask as often as you like: pallium sessions live --json",
      );
    }
    const { environment } = context;
    const reports = await operations["sessions.watch"].call(
      await context.services(),
      { all: args.flag("all") },
      observerOf(context),
    );
    const details = args.flag("details");
    if (!environment.stdoutIsTerminal || isDumb(environment)) {
      return {
        lines: changedBlocks(reports, details, () => announceRecalled(context)),
        live: true,
      };
    }
    return { screen: views(reports, details, coloursWanted(environment, args.flag("no-color"))) };
  },
};

async function* views(
  reports: AsyncIterable<LiveReport>,
  details: boolean,
  colours: boolean,
): AsyncGenerator<ScreenView> {
  for await (const report of reports) {
    yield { rows: (size, _now, isLive) => liveRows(report, { ...size, details, colours, isLive }) };
  }
}

/** A log grows by what is new: a report like the one before is left out. */
async function* changedBlocks(
  reports: AsyncIterable<LiveReport>,
  details: boolean,
  announce: () => void,
): AsyncGenerator<OutputLine> {
  let shown = "";
  let isAnnounced = false;
  for await (const report of reports) {
    const content = JSON.stringify(report.sessions.map(({ age_seconds: _age, ...rest }) => rest));
    if (content === shown) continue;
    shown = content;
    if (!isAnnounced && report.sessions.length > 0) {
      announce();
      isAnnounced = true;
    }
    const lines = liveLines(report, { details, colours: false });
    yield { data: null, text: [...lines, ""].join("\n") };
  }
}
