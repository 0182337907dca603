import { operations } from "../../../../operations/table.ts";
import { taskText } from "../../../views/repo/task.ts";
import { repoAt, repoCommand } from "../repo-command.ts";

const { call } = operations["task.show"];

export const command = repoCommand({
  operation: "task.show",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  input: (args) => repoAt(args, 0),
  text: taskText,
});
