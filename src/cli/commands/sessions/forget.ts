import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { forgetText } from "../../views/sessions/keeping.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./filter-args.ts";

export const command: Command = {
  name: "forget",
  summary: operations["sessions.forget"].summary,
  positionals: "<session-id...>",
  arity: [1, Number.POSITIVE_INFINITY],
  args: {
    yes: {
      type: "boolean",
      description: "Do not ask; without a terminal nothing is forgotten else",
    },
    "with-forks": {
      type: "boolean",
      description: "Sessions that began as copies of it too; else they keep what they took over",
    },
    ...STORE_ARGS,
  },
  operation: "sessions.forget",
  examples: ["pallium sessions forget 01a23a7d", "pallium sessions forget 01a23a7d --yes"],
  async run(args, context) {
    const report = await operations["sessions.forget"].call(
      await context.services(),
      {
        ...storeOf(args),
        ids: args.rest,
        with_forks: args.flag("with-forks"),
        confirmed: args.flag("yes"),
      },
      { ...observerOf(context), confirm: context.confirm },
    );
    const result = { data: asJson(report), text: forgetText(report) };
    if (report.forgotten) return result;
    const error = new PalliumError("not_confirmed", "nothing was forgotten", {
      hints: ["to erase what is listed, which cannot be undone, add --yes"],
    });
    return { ...result, error };
  },
};
