import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { trustedText } from "../../views/settings.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "add",
  summary: operations.trust.summary,
  positionals: "[path]",
  arity: [0, 1],
  args: {},
  operation: "trust",
  examples: ["pallium trust", "pallium trust ../other"],
  async run(args, context) {
    const trusted = await operations.trust.call(
      await context.services(),
      optional({ path: args.rest[0] }),
      observerOf(context),
    );
    return { data: asJson(trusted), text: trustedText(trusted) };
  },
};
