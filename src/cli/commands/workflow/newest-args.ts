/** The flag of commands that look at the newest runs: how many. */
import { usageError } from "../../../lib/errors.ts";
import type { CommandArgs, ParsedArgs } from "../../command.ts";

export function newestArgs(description: string, most: number) {
  return {
    limit: { type: "string", description, valueHint: "n", default: String(most) },
  } as const satisfies CommandArgs;
}

export function newestOf(args: ParsedArgs): number {
  const limit = args.integer("limit") ?? 0;
  if (limit < 1) throw usageError("--limit must be 1 or more");
  return limit;
}
