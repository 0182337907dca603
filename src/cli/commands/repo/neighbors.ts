import { usageError } from "../../../lib/errors.ts";
import { operations } from "../../../operations/table.ts";
import { neighborsText } from "../../views/repo/neighbors.ts";
import { LIMIT_ARG, PATH_WORDS, pathOf, repoCommand } from "./repo-command.ts";

const { call } = operations.neighbors;

export const command = repoCommand({
  operation: "neighbors",
  call,
  ...PATH_WORDS,
  args: LIMIT_ARG,
  input(args) {
    const limit = args.integer("limit") ?? 10;
    if (limit < 1) throw usageError("--limit must be 1 or more");
    return { ...pathOf(args), limit };
  },
  text: neighborsText,
});
