import { usageError } from "../../../lib/errors.ts";
import { operations } from "../../../operations/table.ts";
import { decisionsText } from "../../views/repo/decisions.ts";
import { LIMIT_ARG, repoCommand } from "./repo-command.ts";

const { call } = operations.decisions;

export const command = repoCommand({
  operation: "decisions",
  call,
  positionals: "<query...> [repo]",
  arity: [1, Number.POSITIVE_INFINITY],
  args: LIMIT_ARG,
  examples: ['pallium decisions "why is the index immutable"', "pallium decisions retry backoff"],
  input(args) {
    const limit = args.integer("limit") ?? 10;
    if (limit < 1) throw usageError("--limit must be 1 or more");
    return { words: args.rest, limit };
  },
  text: decisionsText,
});
