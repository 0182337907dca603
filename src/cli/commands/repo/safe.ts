import { operations } from "../../../operations/table.ts";
import { safeText } from "../../views/repo/safe.ts";
import { PATH_WORDS, pathOf, repoCommand } from "./repo-command.ts";

const { call } = operations.safe;

export const command = repoCommand({
  operation: "safe",
  call,
  ...PATH_WORDS,
  input: pathOf,
  text: safeText,
});
