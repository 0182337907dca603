/** What `gate approve`, `reject` and `reopen` share: each leaves a decision for the run's runner. */
import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { decidedGateText } from "../../../views/gates.ts";
import { observerOf } from "../../observer.ts";
import { STORE_ARGS, storeOf } from "../store-args.ts";

export function decideGateCommand(name: "approve" | "reject" | "reopen"): Command {
  const operation = `workflow.gate.${name}` as const;
  return {
    name,
    summary: operations[operation].summary,
    positionals: "<run-id> [name]",
    arity: [1, 2],
    args: {
      reason: { type: "string", description: "Why, for the record", valueHint: "text" },
      gate: {
        type: "string",
        description: "Id of the gate, where several have the name",
        valueHint: "id",
      },
      ...STORE_ARGS,
    },
    operation,
    async run(args, context) {
      const [id = "", gateName] = args.rest;
      const gate = await operations[operation].call(
        await context.services(),
        {
          ...storeOf(args),
          id,
          ...optional({ name: gateName, reason: args.text("reason"), gate: args.text("gate") }),
        },
        observerOf(context),
      );
      if (!gate.awaited) {
        context.printer.notice(`taken up by the next execution: pallium workflow resume ${id}`);
      }
      return { data: asJson(gate), text: decidedGateText(gate) };
    },
  };
}
