import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import { preflightText } from "../../views/repo/preflight.ts";
import { repoCommand } from "../repo/repo-command.ts";

const { call } = operations["workflow.preflight"];

export const command = repoCommand({
  operation: "workflow.preflight",
  call,
  positionals: "<task...>",
  arity: [0, Number.POSITIVE_INFINITY],
  args: {
    scope: {
      type: "string",
      description: "A file, folder or glob that the task is about",
      valueHint: "path",
      multiple: true,
    },
    cwd: { type: "string", description: "A folder of the repository", valueHint: "path" },
  },
  input: (args) => ({
    task: args.rest.join(" "),
    scope: args.list("scope"),
    ...optional({ repo: args.text("cwd") }),
  }),
  text: preflightText,
});
