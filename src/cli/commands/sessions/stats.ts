import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { sessionStatsText } from "../../views/sessions/stats.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./filter-args.ts";

export const command: Command = {
  name: "stats",
  summary: operations["sessions.stats"].summary,
  arity: [0, 0],
  args: STORE_ARGS,
  operation: "sessions.stats",
  async run(args, context) {
    const stats = await operations["sessions.stats"].call(
      await context.services(),
      storeOf(args),
      observerOf(context),
    );
    return { data: asJson(stats), text: sessionStatsText(stats) };
  },
};
