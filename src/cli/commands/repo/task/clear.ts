import { operations } from "../../../../operations/table.ts";
import { repoAt, repoCommand } from "../repo-command.ts";

const { call } = operations["task.clear"];

export const command = repoCommand({
  operation: "task.clear",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  input: (args) => repoAt(args, 0),
  text: () => "Active task cleared.",
});
