/** What the commands of repo memory have in common. */
import { asJson } from "../../../lib/json.ts";
import type { Operation } from "../../../operations/operation.ts";
import { type OperationName, operations } from "../../../operations/table.ts";
import type { Command, CommandArgs, ParsedArgs } from "../../command.ts";
import { observerOf } from "../observer.ts";

interface RepoCommand<Input, Report extends object> {
  readonly operation: OperationName;
  readonly call: Operation<Input, Report>["call"];
  readonly positionals: string;
  readonly arity: readonly [number, number];
  readonly args?: CommandArgs;
  readonly examples?: readonly string[];
  input(args: ParsedArgs): Input;
  text(report: Report): string;
}

/** A command that asks one question and prints the answer; its name is that of the operation. */
export function repoCommand<Input, Report extends object>(
  definition: RepoCommand<Input, Report>,
): Command {
  const { operation, call, positionals, arity, args = {}, examples = [] } = definition;
  return {
    name: operation.slice(operation.lastIndexOf(".") + 1),
    summary: operations[operation].summary,
    positionals,
    arity,
    args,
    examples,
    operation,
    async run(parsed, context) {
      const services = await context.services();
      const report = await call(services, definition.input(parsed), observerOf(context));
      return { data: asJson(report), text: definition.text(report) };
    },
  };
}

/** The repository that stands at some place among the words; without it the user's own. */
export function repoAt({ rest }: ParsedArgs, place: number): { repo?: string } {
  const repo = rest[place]?.trim();
  return repo === undefined || repo === "" ? {} : { repo };
}

/** The words of commands about one file. */
export const PATH_WORDS = { positionals: "<path> [repo]", arity: [1, 2] } as const;

export function pathOf(args: ParsedArgs): { path: string; repo?: string } {
  return { path: args.rest[0] ?? "", ...repoAt(args, 1) };
}

export const LIMIT_ARG = {
  limit: { type: "string", description: "Most to list", valueHint: "n", default: "10" },
} as const satisfies CommandArgs;
