import { asJson } from "../../../../lib/json.ts";
import { optional } from "../../../../lib/optional.ts";
import { operations } from "../../../../operations/table.ts";
import type { InstalledPack } from "../../../../workflow/authoring/library.ts";
import type { Command } from "../../../command.ts";
import { observerOf } from "../../observer.ts";
import { SOURCE_ARGS, sourceOf } from "./source-args.ts";

const SHORT_HASH = 12;

export const command: Command = {
  name: "install",
  summary: operations["workflow.library.install"].summary,
  positionals: "<pack|source#pack>",
  arity: [1, 1],
  args: {
    ...SOURCE_ARGS,
    name: {
      type: "string",
      description: "Save it under this name (default: that of the pack)",
      valueHint: "name",
    },
    cwd: {
      type: "string",
      description: "Folder whose .pallium/workflows it goes to (default: this one)",
      valueHint: "path",
    },
    force: { type: "boolean", description: "Overwrite a saved workflow of that name" },
  },
  operation: "workflow.library.install",
  examples: [
    "pallium workflow library install security-audit",
    "pallium workflow library install ./packs#release-notes",
    "pallium workflow library install https://example.com/team/packs.git#release-notes --ref v2",
  ],
  async run(args, context) {
    const [pack = ""] = args.rest;
    const done = await operations["workflow.library.install"].call(
      await context.services(),
      {
        pack,
        ...sourceOf(args),
        force: args.flag("force"),
        ...optional({ name: args.text("name"), cwd: args.text("cwd") }),
      },
      observerOf(context),
    );
    return {
      data: asJson(done),
      text: [
        `Installed workflow pack ${done.pack.name} as /${done.workflow} at ${done.path}`,
        ...(done.source === undefined ? [] : [`From: ${originOf(done)}`]),
      ].join("\n"),
    };
  },
};

function originOf({ source = "", commit }: InstalledPack): string {
  return commit === undefined ? source : `${source} at ${commit.slice(0, SHORT_HASH)}`;
}
