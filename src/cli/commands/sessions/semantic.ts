import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { semanticText } from "../../views/sessions/semantic.ts";
import { observerOf } from "../observer.ts";
import {
  FILTER_ARGS,
  filterOf,
  limitArg,
  limitOf,
  MODEL_ARG,
  modelOf,
  wordsOf,
} from "./filter-args.ts";
import { recalledResult } from "./recalled-result.ts";

const USUAL = 10;

export const command: Command = {
  name: "semantic",
  summary: operations["sessions.semantic"].summary,
  positionals: "<query...>",
  arity: [1, Number.POSITIVE_INFINITY],
  args: { ...limitArg(USUAL), ...MODEL_ARG, ...FILTER_ARGS },
  examples: [
    "pallium sessions semantic why do payments arrive twice",
    "PALLIUM_EMBED_PROVIDER=ollama pallium sessions semantic --model bge-m3 flaky tests",
  ],
  operation: "sessions.semantic",
  async run(args, context) {
    const hits = await operations["sessions.semantic"].call(
      await context.services(),
      {
        ...filterOf(args),
        ...modelOf(args),
        words: wordsOf(args),
        limit: limitOf(args, USUAL),
      },
      observerOf(context),
    );
    return recalledResult(context, hits, semanticText(hits));
  },
};
