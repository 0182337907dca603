import { asJson } from "../../../../lib/json.ts";
import { operations } from "../../../../operations/table.ts";
import type { LibraryRequest } from "../../../../workflow/authoring/library.ts";
import type { Command } from "../../../command.ts";
import { packText } from "../../../views/authoring.ts";
import { observerOf } from "../../observer.ts";
import { SOURCE_ARGS, sourceOf } from "./source-args.ts";

export const command: Command = {
  name: "show",
  summary: operations["workflow.library.show"].summary,
  positionals: "<pack|source#pack>",
  arity: [1, 1],
  args: SOURCE_ARGS,
  operation: "workflow.library.show",
  async run(args, context) {
    const [pack = ""] = args.rest;
    const source = sourceOf(args);
    const shown = await operations["workflow.library.show"].call(
      await context.services(),
      { pack, ...source },
      observerOf(context),
    );
    return { data: asJson(shown), text: packText(shown, flagsFor(pack, shown.name, source)) };
  },
};

/** What has to be said besides the name of a pack to mean the same one. */
function flagsFor(word: string, name: string, { from, ref }: LibraryRequest): readonly string[] {
  const source = from ?? (word === name ? undefined : word.replace(/#[^#]*$/, ""));
  return [
    ...(source === undefined ? [] : [`--from ${source}`]),
    ...(ref === undefined ? [] : [`--ref ${ref}`]),
  ];
}
