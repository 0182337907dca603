import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { relatedSessionsText } from "../../views/sessions/session-list.ts";
import { observerOf } from "../observer.ts";
import { FILTER_ARGS, FULL_ARG, limitArg, limitOf, STORE_ARGS, storeOf } from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 10;

export const command: Command = {
  name: "related",
  summary: operations["sessions.related"].summary,
  positionals: "[path]",
  arity: [0, 1],
  args: {
    ...limitArg(USUAL),
    file: {
      type: "string",
      description: "Sessions that touched or named this file of the repository count more",
      valueHint: "path",
      multiple: true,
    },
    ...FULL_ARG,
    ...STORE_ARGS,
    provider: FILTER_ARGS.provider,
    machine: FILTER_ARGS.machine,
    since: FILTER_ARGS.since,
  },
  examples: ["pallium sessions related", "pallium sessions related --file src/auth.ts"],
  operation: "sessions.related",
  async run(args, context) {
    const related = await operations["sessions.related"].call(
      await context.services(),
      {
        ...storeOf(args),
        files: args.list("file"),
        limit: limitOf(args, USUAL),
        full: args.flag("full"),
        ...optional({
          path: args.rest[0],
          provider: args.text("provider"),
          machine: args.text("machine"),
          since: args.text("since"),
        }),
      },
      observerOf(context),
    );
    return recalledResult(context, related, relatedSessionsText(related));
  },
};
