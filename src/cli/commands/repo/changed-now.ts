import { operations } from "../../../operations/table.ts";
import { changedNowText } from "../../views/repo/changed-now.ts";
import { repoAt, repoCommand } from "./repo-command.ts";

const { call } = operations["changed-now"];

export const command = repoCommand({
  operation: "changed-now",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  input: (args) => repoAt(args, 0),
  text: changedNowText,
});
