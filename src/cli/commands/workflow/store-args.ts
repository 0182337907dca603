/** The flag that names the store of runs. */
import { optional } from "../../../lib/optional.ts";
import type { CommandArgs, ParsedArgs } from "../../command.ts";

export const STORE_ARGS = {
  db: {
    type: "string",
    description: "Use this database file instead of ~/.pallium/pallium.sqlite",
    valueHint: "path",
  },
} as const satisfies CommandArgs;

export function storeOf(args: ParsedArgs): { db?: string } {
  return optional({ db: args.text("db") });
}
