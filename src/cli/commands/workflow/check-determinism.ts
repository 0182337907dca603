import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Determinism } from "../../../workflow/rehearsal/determinism.ts";
import type { Command } from "../../command.ts";
import { determinismText } from "../../views/determinism.ts";
import { observerOf } from "../observer.ts";
import { REHEARSAL_ARGS, rehearsalOf } from "./rehearsal-args.ts";

export const command: Command = {
  name: "check-determinism",
  summary: operations["workflow.check-determinism"].summary,
  positionals: "[script.js | /name | task...]",
  arity: [0, Number.POSITIVE_INFINITY],
  args: {
    ...REHEARSAL_ARGS,
    orders: {
      type: "string",
      description: "Orders of completion to try: first, last, and drawn ones (4)",
      valueHint: "n",
    },
    seed: { type: "string", description: "Seed of the drawn orders (1)", valueHint: "n" },
  },
  operation: "workflow.check-determinism",
  examples: ["pallium workflow check-determinism review.js --orders 20"],
  async run(args, context) {
    const report = await operations["workflow.check-determinism"].call(
      await context.services(),
      {
        ...rehearsalOf(args),
        ...optional({ orders: args.integer("orders"), seed: args.integer("seed") }),
      },
      observerOf(context),
    );
    return { data: asJson(report), text: determinismText(report), ...failure(report) };
  },
};

function failure({ divergence, script }: Determinism): { error?: PalliumError } {
  if (divergence === undefined) return {};
  const line = divergence.other?.line ?? divergence.one?.line;
  const place = line === undefined ? "" : ` at ${script}:${line}`;
  return {
    error: new PalliumError(
      "not_deterministic",
      `what the script does depends on which calls complete first${place}`,
      {
        hints: [
          "parallel, pipeline and Promise.all give answers in the order of the items: build prompts from what they return",
        ],
      },
    ),
  };
}
