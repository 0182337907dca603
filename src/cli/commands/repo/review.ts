import { operations } from "../../../operations/table.ts";
import { reviewText } from "../../views/repo/review.ts";
import { repoCommand } from "./repo-command.ts";

const { call } = operations.review;

export const command = repoCommand({
  operation: "review",
  call,
  positionals: "[base] [repo]",
  arity: [0, 2],
  args: {
    staged: { type: "boolean", description: "Review only what is staged, against HEAD" },
  },
  examples: ["pallium review main", "pallium review --staged --json"],
  input: (args) => ({ words: args.rest, staged: args.flag("staged") }),
  text: reviewText,
});
