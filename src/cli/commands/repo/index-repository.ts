import { operations } from "../../../operations/table.ts";
import { indexText } from "../../views/repo/index-report.ts";
import { repoAt, repoCommand } from "./repo-command.ts";

const { call } = operations.index;

export const command = repoCommand({
  operation: "index",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  args: {
    full: { type: "boolean", description: "Read the whole history again" },
  },
  examples: ["pallium index", "pallium index ../other --json"],
  input: (args) => ({ ...repoAt(args, 0), full: args.flag("full") }),
  text: indexText,
});
