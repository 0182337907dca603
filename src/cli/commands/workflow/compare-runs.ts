/** `workflow diff` of two runs. */
import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { CommandContext, CommandResult, ParsedArgs } from "../../command.ts";
import { comparisonPieces } from "../../views/comparison/pieces.ts";
import type { TableOptions } from "../../views/table.ts";
import { observerOf } from "../observer.ts";
import { storeOf } from "./store-args.ts";

/** Flags about what agents edited. */
const OF_ONE_RUN = ["call", "applied", "repo", "side-by-side"];

export async function compareTwoRuns(
  args: ParsedArgs,
  context: CommandContext,
  looks: () => TableOptions,
): Promise<CommandResult> {
  const wrong = OF_ONE_RUN.find((flag) => args.given(flag));
  if (wrong !== undefined) {
    throw usageError(
      `--${wrong} shows what one run changed, and cannot go with two`,
      "two runs are compared with: pallium workflow diff <run-id> <other-run-id>",
    );
  }
  const [before = "", after = ""] = args.rest;
  const comparison = await operations["workflow.compare"].call(
    await context.services(),
    { ...storeOf(args), before, after },
    observerOf(context),
  );
  if (context.json) return { data: asJson(comparison), text: "" };
  return { pieces: comparisonPieces(comparison, { ...looks(), texts: !args.flag("stat") }) };
}
