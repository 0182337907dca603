import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { LogLine } from "../../../workflow/live/logs.ts";
import { coloursWanted } from "../../colours.ts";
import type { Command, CommandContext, OutputLine, ParsedArgs } from "../../command.ts";
import { createLogView, type LogView } from "../../views/logs.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "logs",
  summary: operations["workflow.logs"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    agent: {
      type: "string",
      description: "Only the output of this agent: its label or its id",
      valueHint: "agent",
    },
    follow: { type: "boolean", description: "Go on with what is printed, until the run ends" },
    ...STORE_ARGS,
  },
  operation: "workflow.logs",
  streams: true,
  examples: [
    "pallium workflow logs wf-1 --follow",
    "pallium workflow logs wf-1 --agent planner | less",
  ],
  async run(args, context) {
    const [id = ""] = args.rest;
    const follow = args.flag("follow");
    const { several, lines } = await operations["workflow.logs"].call(
      await context.services(),
      { ...storeOf(args), ...optional({ agent: args.text("agent") }), id, follow },
      observerOf(context),
    );
    const view = createLogView(viewOptions(args, context, several));
    if (context.json || !view.coloured) return { lines: linesOf(lines, view), live: follow };
    return { pieces: piecesOf(lines, view, follow) };
  },
};

function viewOptions(args: ParsedArgs, { environment }: CommandContext, several: boolean) {
  const terminal = environment.stdoutIsTerminal;
  const colours = terminal && coloursWanted(environment, args.flag("no-color"));
  return { several, terminal, colours };
}

async function* linesOf(lines: AsyncIterable<LogLine>, view: LogView): AsyncGenerator<OutputLine> {
  for await (const line of lines) yield { data: asJson(line), text: view.text(line) };
}

async function* piecesOf(
  lines: AsyncIterable<LogLine>,
  view: LogView,
  isLive: boolean,
): AsyncGenerator<string | Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) {
    const text = `${view.text(line)}\n`;
    // Texts are gathered; bytes go out at once.
    yield isLive ? encoder.encode(text) : text;
  }
}
