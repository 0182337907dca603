import { optional } from "../../../../lib/optional.ts";
import type { LibraryRequest } from "../../../../workflow/authoring/library.ts";
import type { CommandArgs, ParsedArgs } from "../../../command.ts";

export const SOURCE_ARGS = {
  from: {
    type: "string",
    description: "Folder or git repository that packs are read from (default: pallium's own)",
    valueHint: "source",
  },
  ref: {
    type: "string",
    description: "Branch or tag of the git repository",
    valueHint: "name",
  },
} as const satisfies CommandArgs;

export function sourceOf(args: ParsedArgs): LibraryRequest {
  return optional({ from: args.text("from"), ref: args.text("ref") });
}
