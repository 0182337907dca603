import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { sessionListText } from "../../views/sessions/session-list.ts";
import { observerOf } from "../observer.ts";
import { FILTER_ARGS, FULL_ARG, filterOf, limitArg, limitOf } from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 20;

export const command: Command = {
  name: "list",
  summary: operations["sessions.list"].summary,
  arity: [0, 0],
  args: { ...limitArg(USUAL), ...FULL_ARG, ...FILTER_ARGS },
  examples: ["pallium sessions list", "pallium sessions list --repo . --since 7d"],
  operation: "sessions.list",
  async run(args, context) {
    const sessions = await operations["sessions.list"].call(
      await context.services(),
      { ...filterOf(args), limit: limitOf(args, USUAL), full: args.flag("full") },
      observerOf(context),
    );
    return recalledResult(context, sessions, sessionListText(sessions));
  },
};
