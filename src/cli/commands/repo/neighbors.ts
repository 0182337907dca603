import { usageError } from "../../../lib/errors.ts";
import { operations } from "../../../operations/table.ts";
import { neighborsText } from "../../views/repo/neighbors.ts";
import { LIMIT_ARG, repoAt, repoCommand } from "./shared.ts";

const { call } = operations.neighbors;

export const command = repoCommand({
  operation: "neighbors",
  call,
  positionals: "<path> [repo]",
  arity: [1, 2],
  args: LIMIT_ARG,
  input(args) {
    const limit = args.integer("limit") ?? 10;
    if (limit < 1) throw usageError("--limit must be 1 or more");
    return { path: args.rest[0] ?? "", ...repoAt(args, 1), limit };
  },
  text: neighborsText,
});
