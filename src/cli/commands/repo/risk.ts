import { operations } from "../../../operations/table.ts";
import { riskText } from "../../views/repo/risk.ts";
import { PATH_WORDS, pathOf, repoCommand } from "./repo-command.ts";

const { call } = operations.risk;

export const command = repoCommand({
  operation: "risk",
  call,
  ...PATH_WORDS,
  input: pathOf,
  text: riskText,
});
