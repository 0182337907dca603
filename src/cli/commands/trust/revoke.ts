import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "revoke",
  summary: operations["trust.revoke"].summary,
  positionals: "[path]",
  arity: [0, 1],
  args: {},
  operation: "trust.revoke",
  async run(args, context) {
    const revoked = await operations["trust.revoke"].call(
      await context.services(),
      optional({ path: args.rest[0] }),
      observerOf(context),
    );
    return { data: asJson(revoked), text: `Not trusted any more: ${visibleName(revoked.path)}` };
  },
};
