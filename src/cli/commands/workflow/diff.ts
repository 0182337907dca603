import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { RepoDiff } from "../../../workflow/diff/repo-diff.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./shared.ts";

export const command: Command = {
  name: "diff",
  summary: operations["workflow.diff"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    call: {
      type: "string",
      description: "Only what one agent did: its id, key or label",
      valueHint: "agent",
    },
    applied: {
      type: "boolean",
      description: "What was really done to the checkout, the user's own changes left out",
    },
    repo: {
      type: "string",
      description: "Only this repository, of a run that edited several",
      valueHint: "path",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.diff",
  examples: ["pallium workflow diff wf-1 | git apply"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const request = {
      ...storeOf(args),
      id,
      applied: args.flag("applied"),
      ...optional({ call: args.text("call"), repo: args.text("repo") }),
    };
    const diffs = await operations["workflow.diff"].call(
      await context.services(),
      request,
      observerOf(context),
    );
    if (context.json) return { data: asJson(diffs), text: "" };
    return { pieces: patches(diffs) };
  },
};

async function* patches(diffs: readonly RepoDiff[]): AsyncGenerator<Uint8Array> {
  for (const { patch } of diffs) yield* patch();
}
