import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { grepText } from "../../views/sessions/grep.ts";
import { asItIs, inBold } from "../../views/sessions/highlights.ts";
import { observerOf } from "../observer.ts";
import {
  FILTER_ARGS,
  filterOf,
  limitArg,
  limitOf,
  SAID_ARGS,
  saidOf,
  wordsOf,
} from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 20;

export const command: Command = {
  name: "grep",
  summary: operations["sessions.grep"].summary,
  positionals: "<text...>",
  arity: [1, Number.POSITIVE_INFINITY],
  args: {
    ...limitArg(USUAL),
    "ignore-case": { type: "boolean", description: "Take capital and small letters for the same" },
    ...SAID_ARGS,
    ...FILTER_ARGS,
  },
  examples: [
    "pallium sessions grep 'ECONNREFUSED 127.0.0.1'",
    "pallium sessions grep --role tool exit 137",
  ],
  operation: "sessions.grep",
  async run(args, context) {
    const hits = await operations["sessions.grep"].call(
      await context.services(),
      {
        ...filterOf(args),
        text: wordsOf(args).join(" "),
        limit: limitOf(args, USUAL),
        ignore_case: args.flag("ignore-case"),
        ...saidOf(args),
      },
      observerOf(context),
    );
    return recalledResult(context, hits, grepText(hits, asItIs), grepText(hits, inBold));
  },
};
