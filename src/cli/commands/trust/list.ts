import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { trustListText } from "../../views/settings.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "list",
  summary: operations["trust.list"].summary,
  arity: [0, 0],
  args: {},
  operation: "trust.list",
  async run(_args, context) {
    const list = await operations["trust.list"].call(
      await context.services(),
      {},
      observerOf(context),
    );
    return { data: asJson(list), text: trustListText(list) };
  },
};
