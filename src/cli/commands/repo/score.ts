import { usageError } from "../../../lib/errors.ts";
import { operations } from "../../../operations/table.ts";
import type { ParsedArgs } from "../../command.ts";
import { scoreText } from "../../views/repo/score.ts";
import { repoAt, repoCommand } from "./repo-command.ts";

const { call } = operations.score;

export const command = repoCommand({
  operation: "score",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  args: {
    commits: {
      type: "string",
      description: "Ask about so many of the latest commits",
      valueHint: "n",
      default: "300",
    },
    "time-limit": {
      type: "string",
      description: "Stop asking after so many seconds",
      valueHint: "seconds",
      default: "25",
    },
  },
  input: (args) => ({
    ...repoAt(args, 0),
    commits: atLeastOne(args, "commits", 300),
    time_limit: atLeastOne(args, "time-limit", 25),
  }),
  text: scoreText,
});

function atLeastOne(args: ParsedArgs, name: string, otherwise: number): number {
  const value = args.integer(name) ?? otherwise;
  if (value < 1) throw usageError(`--${name} must be 1 or more`);
  return value;
}
