import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import { taskStartedText } from "../../../views/repo/task.ts";
import { repoCommand } from "../repo-command.ts";

const { call } = operations["task.start"];

export const command = repoCommand({
  operation: "task.start",
  call,
  positionals: "<goal> [scope...]",
  arity: [1, Number.POSITIVE_INFINITY],
  args: {
    expires: {
      type: "string",
      description: "How long it stays in force when nothing uses it, such as 30m (default 4h)",
      valueHint: "duration",
    },
    repo: { type: "string", description: "A folder of the repository", valueHint: "path" },
  },
  examples: ['pallium task start "Tighten the token check" internal/auth "!**/*.md"'],
  input(args) {
    const [goal = "", ...scope] = args.rest;
    return { goal, scope, ...optional({ expires: args.text("expires"), repo: args.text("repo") }) };
  },
  text: taskStartedText,
});
