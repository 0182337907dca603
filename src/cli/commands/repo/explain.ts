import { operations } from "../../../operations/table.ts";
import { explainText } from "../../views/repo/explain.ts";
import { PATH_WORDS, pathOf, repoCommand } from "./repo-command.ts";

const { call } = operations.explain;

export const command = repoCommand({
  operation: "explain",
  call,
  ...PATH_WORDS,
  input: pathOf,
  text: explainText,
});
