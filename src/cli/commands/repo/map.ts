import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { mapText } from "../../views/repo/map.ts";
import { observerOf } from "../observer.ts";
import { LIMIT_ARG, repoAt } from "./repo-command.ts";

export const command: Command = {
  name: "map",
  summary: operations.map.summary,
  positionals: "[repo]",
  arity: [0, 1],
  args: {
    limit: { ...LIMIT_ARG.limit, default: "20" },
    html: { type: "string", description: "Write the map as a page", valueHint: "file" },
    force: { type: "boolean", description: "Let the page take the place of another file" },
  },
  examples: ["pallium map", "pallium map --html map.html"],
  operation: "map",
  async run(args, context) {
    const request = requestOf(args);
    const report = await operations.map.call(
      await context.services(),
      request,
      observerOf(context),
    );
    const { columns } = context.environment;
    return {
      data: asJson(report),
      text: mapText(report, { columns, colours: false }),
      styledText: mapText(report, { columns, colours: true }),
    };
  },
};

function requestOf(args: ParsedArgs) {
  const limit = args.integer("limit") ?? 20;
  if (limit < 1) throw usageError("--limit must be 1 or more");
  const html = args.text("html");
  if (html === "") throw usageError("--html needs the name of a file");
  const force = args.flag("force");
  if (force && html === undefined) throw usageError("--force is for --html");
  return { ...repoAt(args, 0), limit, force, ...optional({ html }) };
}
