import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { asItIs, inBold } from "../../views/sessions/highlights.ts";
import { foundSessionsText } from "../../views/sessions/session-list.ts";
import { observerOf } from "../observer.ts";
import {
  FILTER_ARGS,
  FULL_ARG,
  filterOf,
  limitArg,
  limitOf,
  MODEL_ARG,
  modelOf,
  SAID_ARGS,
  saidOf,
  wordsOf,
} from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 10;

export const command: Command = {
  name: "search",
  summary: operations["sessions.search"].summary,
  positionals: "<query...>",
  arity: [1, Number.POSITIVE_INFINITY],
  args: {
    ...limitArg(USUAL),
    hybrid: {
      type: "boolean",
      description: "Find by meaning too, with the vectors of sessions embed",
    },
    ...MODEL_ARG,
    ...FULL_ARG,
    ...SAID_ARGS,
    ...FILTER_ARGS,
  },
  examples: [
    "pallium sessions search how did we fix the billing total",
    'pallium sessions search "token lock" --repo . --context 2',
    "pallium sessions search --role user what did we do last week",
  ],
  operation: "sessions.search",
  async run(args, context) {
    const found = await operations["sessions.search"].call(
      await context.services(),
      {
        ...filterOf(args),
        words: wordsOf(args),
        limit: limitOf(args, USUAL),
        full: args.flag("full"),
        ...saidOf(args),
        hybrid: args.flag("hybrid"),
        ...modelOf(args),
      },
      observerOf(context),
    );
    return recalledResult(
      context,
      found,
      foundSessionsText(found, asItIs),
      foundSessionsText(found, inBold),
    );
  },
};
