import { operations } from "../../../operations/table.ts";
import { planText } from "../../views/repo/plan.ts";
import { PATH_WORDS, pathOf, repoCommand } from "./repo-command.ts";

const { call } = operations.plan;

export const command = repoCommand({
  operation: "plan",
  call,
  ...PATH_WORDS,
  input: pathOf,
  text: planText,
});
