import { operations } from "../../../operations/table.ts";
import { riskText } from "../../views/repo/risk.ts";
import { repoAt, repoCommand } from "./shared.ts";

const { call } = operations.risk;

export const command = repoCommand({
  operation: "risk",
  call,
  positionals: "<path> [repo]",
  arity: [1, 2],
  input: (args) => ({ path: args.rest[0] ?? "", ...repoAt(args, 1) }),
  text: riskText,
});
