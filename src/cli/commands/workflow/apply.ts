import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { Command, ParsedArgs } from "../../command.ts";
import { branchText, patchesText } from "../../views/patches.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "apply",
  summary: operations["workflow.apply"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    branch: {
      type: "string",
      description: "Commit the edits to a new branch instead; checkout and index stay as they are",
      valueHint: "name",
    },
    message: {
      type: "string",
      description: "Message of that commit (default: the task of the run)",
      valueHint: "text",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.apply",
  examples: ['pallium workflow apply wf-1 --branch pallium/login --message "Fix the login"'],
  async run(args, context) {
    const [id = ""] = args.rest;
    const done = await operations["workflow.apply"].call(
      await context.services(),
      { ...storeOf(args), id, ...branchOf(args) },
      observerOf(context),
    );
    const text = done.branch === undefined ? patchesText("apply", done.applied) : branchText(done);
    return { data: asJson(done), text };
  },
};

function branchOf(args: ParsedArgs) {
  const [branch, message] = [args.text("branch"), args.text("message")];
  if (branch === "") throw usageError("--branch needs a name");
  if (message !== undefined && branch === undefined) throw usageError("--message is for --branch");
  if (message?.trim() === "") throw usageError("--message needs a text");
  return optional({ branch, message });
}
