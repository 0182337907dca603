import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { packsText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.library.list"].summary,
  arity: [0, 0],
  args: {},
  operation: "workflow.library.list",
  async run(_args, context) {
    const packs = await operations["workflow.library.list"].call(
      await context.services(),
      {},
      observerOf(context),
    );
    return { data: asJson(packs), text: packsText(packs) };
  },
};
