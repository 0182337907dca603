import { operations } from "../../../operations/table.ts";
import { handoffText } from "../../views/repo/handoff.ts";
import { repoCommand } from "./repo-command.ts";

const { call } = operations.handoff;

export const command = repoCommand({
  operation: "handoff",
  call,
  positionals: "[base] [repo]",
  arity: [0, 2],
  examples: ["pallium handoff main"],
  input: (args) => ({ words: args.rest }),
  text: handoffText,
});
