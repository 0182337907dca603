import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { DryRun } from "../../../workflow/rehearsal/dry-run.ts";
import type { Command } from "../../command.ts";
import { dryRunText } from "../../views/dry-run.ts";
import { observerOf } from "../observer.ts";
import { REHEARSAL_ARGS, rehearsalOf } from "./rehearsal-args.ts";

export const command: Command = {
  name: "dry-run",
  summary: operations["workflow.dry-run"].summary,
  positionals: "[script.js | /name | task...]",
  arity: [0, Number.POSITIVE_INFINITY],
  args: REHEARSAL_ARGS,
  operation: "workflow.dry-run",
  examples: [
    'pallium workflow dry-run review.js --args \'{"topic":"auth"}\'',
    'pallium workflow dry-run --workflow security-audit "audit the parser"',
    "pallium workflow dry-run loop.js --max-calls 50 --json",
  ],
  async run(args, context) {
    const report = await operations["workflow.dry-run"].call(
      await context.services(),
      rehearsalOf(args),
      observerOf(context),
    );
    const { columns } = context.environment;
    return {
      data: asJson(report),
      text: dryRunText(report, { columns, colours: false }),
      styledText: dryRunText(report, { columns, colours: true }),
      ...failure(report),
    };
  },
};

function failure({ state, script, error = "", line }: DryRun): { error?: PalliumError } {
  if (state !== "failed") return {};
  const place = line === undefined ? "" : ` at ${script}:${line}`;
  return {
    error: new PalliumError(
      "dry_run_failed",
      `the script fails on stub answers${place}: ${error}`,
      {
        hints: [
          "a stub holds what its schema requires and nothing else; require in the schema what the script reads",
        ],
      },
    ),
  };
}
