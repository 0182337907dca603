import { PalliumError, usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { VerifyReport } from "../../../repo/verify.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { verifyText } from "../../views/repo/verify.ts";
import { observerOf } from "../observer.ts";
import { repoAt } from "./repo-command.ts";

const INTERRUPTED = 130;

export const command: Command = {
  name: "verify",
  summary: operations.verify.summary,
  positionals: "<fast|safe|full> [repo]",
  arity: [1, 2],
  args: {
    base: {
      type: "string",
      description: "Verify what changed since this revision (default HEAD~1)",
      valueHint: "ref",
    },
    "keep-going": { type: "boolean", description: "Run on after a command that failed" },
    timeout: {
      type: "string",
      description: "Seconds that each command may take",
      valueHint: "seconds",
    },
    command: {
      type: "string",
      description: "Run this shell command in place of those that were inferred",
      valueHint: "command",
    },
    "dry-run": { type: "boolean", description: "Only say what would run" },
  },
  examples: ["pallium verify fast", "pallium verify full --base origin/main --keep-going"],
  operation: "verify",
  async run(args, context) {
    const report = await operations.verify.call(
      await context.services(),
      requestOf(args),
      observerOf(context),
    );
    const text = verifyText(report, !context.watched);
    return { data: asJson(report), text, ...failure(report) };
  },
};

function requestOf(args: ParsedArgs) {
  const timeout = args.integer("timeout");
  if (timeout !== undefined && timeout < 1) throw usageError("--timeout must be 1 or more");
  return {
    tier: args.rest[0] ?? "",
    ...repoAt(args, 1),
    keep_going: args.flag("keep-going"),
    dry_run: args.flag("dry-run"),
    ...optional({ base: args.text("base"), timeout, command: args.text("command") }),
  };
}

/** As a shell reports a program that it cannot find. */
const NOT_FOUND = 127;

function failure({ command: failed, exit_code, results }: VerifyReport): { error?: PalliumError } {
  if (exit_code === 0) return {};
  const isInterrupted = results.some(({ interrupted }) => interrupted);
  const error = new PalliumError(
    isInterrupted ? "interrupted" : "verification_failed",
    `verification command failed with exit code ${exit_code}: ${failed}`,
    {
      exitCode: isInterrupted ? INTERRUPTED : 1,
      hints: [
        exit_code === NOT_FOUND
          ? "a program is missing: install it, or name another command with --command"
          : "the end of its output is in the report; the run is on record: pallium review",
      ],
    },
  );
  return { error };
}
