import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { shownSessionText } from "../../views/sessions/show.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

export const command: Command = {
  name: "show",
  summary: operations["sessions.show"].summary,
  positionals: "<session-id>",
  arity: [1, 1],
  args: {
    transcript: { type: "boolean", description: "Print everything that was said" },
    ...STORE_ARGS,
  },
  examples: ["pallium sessions show 01a23a7d", "pallium sessions show 01a23a7d --transcript"],
  operation: "sessions.show",
  async run(args, context) {
    const shown = await operations["sessions.show"].call(
      await context.services(),
      { ...storeOf(args), id: args.rest[0] ?? "", transcript: args.flag("transcript") },
      observerOf(context),
    );
    return recalledResult(context, shown, shownSessionText(shown));
  },
};
