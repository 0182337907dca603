import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import { repoChanges } from "../../../workflow/diff/changed-files.ts";
import { coloursWanted } from "../../colours.ts";
import type { Command, CommandContext, ParsedArgs } from "../../command.ts";
import { type DiffView, diffPieces } from "../../views/diff/pieces.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

/** Where stdout leads to no terminal, and nobody says how wide it is. */
const DEFAULT_COLUMNS = 120;

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
      description: "What was really done to files of the checkout when the edits were applied",
    },
    repo: {
      type: "string",
      description: "Only this repository, of a run that edited several",
      valueHint: "path",
    },
    stat: { type: "boolean", description: "Only how much of which files changed" },
    "side-by-side": { type: "boolean", description: "Before on the left, after on the right" },
    color: {
      type: "boolean",
      description: "Use colours though stdout is no terminal, as for less -R; no patch for git",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.diff",
  examples: [
    "pallium workflow diff wf-1 | git apply",
    "pallium workflow diff wf-1 --side-by-side --color | less -R",
  ],
  async run(args, context) {
    const diffs = await operations["workflow.diff"].call(
      await context.services(),
      requestOf(args),
      observerOf(context),
    );
    if (context.json) {
      const withTexts = !args.flag("stat");
      const changes = await Promise.all(diffs.map((diff) => repoChanges(diff, withTexts)));
      return { data: asJson(changes), text: "" };
    }
    return { pieces: diffPieces(diffs, viewOf(args, context), context.printer) };
  },
};

function requestOf(args: ParsedArgs) {
  const [id = ""] = args.rest;
  const [call, repo] = [args.text("call"), args.text("repo")];
  if (call === "") throw usageError("--call needs the id, key or label of an agent");
  if (repo === "") throw usageError("--repo needs a path");
  if (args.flag("stat") && args.flag("side-by-side")) {
    throw usageError("--stat cannot go with --side-by-side");
  }
  return { ...storeOf(args), id, applied: args.flag("applied"), ...optional({ call, repo }) };
}

function viewOf(args: ParsedArgs, { environment }: CommandContext): DiffView {
  const noColor = args.flag("no-color");
  const { stdoutIsTerminal, variables } = environment;
  const colours =
    (args.flag("color") && !noColor) || (stdoutIsTerminal && coloursWanted(environment, noColor));
  const columns = environment.columns ?? (Number(variables.COLUMNS) || DEFAULT_COLUMNS);
  const isForGit = !stdoutIsTerminal && !colours;
  if (args.flag("stat")) return { kind: "stat", columns: environment.columns, colours };
  if (args.flag("side-by-side")) return { kind: "side-by-side", columns, colours };
  return isForGit ? { kind: "raw" } : { kind: "unified", colours };
}
