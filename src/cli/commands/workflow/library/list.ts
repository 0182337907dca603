import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { Command } from "../../../command.ts";
import { packsText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";
import { SOURCE_ARGS, sourceOf } from "./source-args.ts";

export const command: Command = {
  name: "list",
  summary: operations["workflow.library.list"].summary,
  arity: [0, 0],
  args: SOURCE_ARGS,
  operation: "workflow.library.list",
  examples: [
    "pallium workflow library list",
    "pallium workflow library list --from https://example.com/team/packs.git",
  ],
  async run(args, context) {
    const packs = await operations["workflow.library.list"].call(
      await context.services(),
      sourceOf(args),
      observerOf(context),
    );
    return { data: asJson(packs), text: packsText(packs) };
  },
};
