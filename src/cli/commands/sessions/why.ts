import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { whyText } from "../../views/sessions/why.ts";
import { observerOf } from "../observer.ts";
import { FULL_ARG, limitOf, STORE_ARGS, storeOf } from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 3;

export const command: Command = {
  name: "why",
  summary: operations["sessions.why"].summary,
  positionals: "<file[:line]>",
  arity: [1, 1],
  args: {
    limit: {
      type: "string",
      description: "Most commits of a file as a whole",
      valueHint: "n",
      default: String(USUAL),
    },
    ...FULL_ARG,
    ...STORE_ARGS,
  },
  examples: ["pallium sessions why src/auth.ts:42", "pallium sessions why src/auth.ts --full"],
  operation: "sessions.why",
  async run(args, context) {
    const report = await operations["sessions.why"].call(
      await context.services(),
      {
        ...storeOf(args),
        place: args.rest[0] ?? "",
        limit: limitOf(args, USUAL),
        full: args.flag("full"),
      },
      observerOf(context),
    );
    return recalledResult(context, report, whyText(report));
  },
};
