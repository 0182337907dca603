/** What commands that rehearse a script have in common. */
import { optional } from "../../../lib/optional.ts";
import type { RehearsalRequest } from "../../../workflow/rehearsal/rehearsed-run.ts";
import type { CommandArgs, ParsedArgs } from "../../command.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const REHEARSAL_ARGS = {
  workflow: { type: "string", description: "Saved workflow to rehearse", valueHint: "name" },
  script: { type: "string", description: "Script to rehearse", valueHint: "path" },
  cwd: { type: "string", description: "Directory the run would work in", valueHint: "path" },
  args: { type: "string", description: "JSON the script reads as `args`", valueHint: "json" },
  "max-budget-usd": {
    type: "string",
    description: "The budget the script reads, spent by what agents are estimated at",
    valueHint: "usd",
  },
  "max-calls": {
    type: "string",
    description: "Calls that are answered before the script is taken for endless (1000)",
    valueHint: "n",
  },
  "list-items": {
    type: "string",
    description: "Items of lists in stub answers, where their schema leaves it open (1)",
    valueHint: "n",
  },
  ...STORE_ARGS,
} as const satisfies CommandArgs;

export function rehearsalOf(args: ParsedArgs): RehearsalRequest {
  return {
    ...storeOf(args),
    ...optional({
      subject: args.rest.length === 0 ? undefined : args.rest.join(" "),
      script: args.text("script"),
      workflow: args.text("workflow"),
      cwd: args.text("cwd"),
      args: args.text("args"),
      max_budget_usd: args.text("max-budget-usd"),
      max_calls: args.integer("max-calls"),
      list_items: args.integer("list-items"),
    }),
  };
}
