import { usageError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import { repoChanges } from "../../../workflow/diff/changed-files.ts";
import { coloursWanted } from "../../colours.ts";
import type { Command, CommandContext, ParsedArgs } from "../../command.ts";
import { type DiffView, diffPieces } from "../../views/diff/pieces.ts";
import { observerOf } from "../observer.ts";
import { compareTwoRuns } from "./compare-runs.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

/** Where stdout leads to no terminal, and nobody says how wide it is. */
const DEFAULT_COLUMNS = 120;

export const command: Command = {
  name: "diff",
  summary: operations["workflow.diff"].summary,
  positionals: "<run-id> [other-run-id]",
  arity: [1, 2],
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
    stat: { type: "boolean", description: "Only how much of which files changed, or calls differ" },
    "side-by-side": { type: "boolean", description: "Before on the left, after on the right" },
    color: {
      type: "boolean",
      description: "Use colours though stdout is no terminal, as for less -R; no patch for git",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.diff",
  variants: [{ when: "two runs are named", operation: "workflow.compare" }],
  examples: [
    "pallium workflow diff wf-1 | git apply",
    "pallium workflow diff wf-1 --side-by-side --color | less -R",
    "pallium workflow diff wf-1 wf-2",
  ],
  async run(args, context) {
    if (args.rest.length > 1) {
      return compareTwoRuns(args, context, () => ({
        columns: context.environment.columns,
        colours: coloursOf(args, context),
      }));
    }
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

function coloursOf(args: ParsedArgs, { environment }: CommandContext): boolean {
  const noColor = args.flag("no-color");
  return (
    (args.flag("color") && !noColor) ||
    (environment.stdoutIsTerminal && coloursWanted(environment, noColor))
  );
}

function viewOf(args: ParsedArgs, context: CommandContext): DiffView {
  const { environment } = context;
  const { stdoutIsTerminal, variables } = environment;
  const colours = coloursOf(args, context);
  const columns = environment.columns ?? (Number(variables.COLUMNS) || DEFAULT_COLUMNS);
  const isForGit = !stdoutIsTerminal && !colours;
  if (args.flag("stat")) return { kind: "stat", columns: environment.columns, colours };
  if (args.flag("side-by-side")) return { kind: "side-by-side", columns, colours };
  return isForGit ? { kind: "raw" } : { kind: "unified", colours };
}
