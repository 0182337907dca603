import { usageError } from "../../../lib/errors.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { JournalEvent } from "../../../workflow/reports/events.ts";
import { EVENT_TYPES, type EventType } from "../../../workflow/run/types.ts";
import type { Command, OutputLine } from "../../command.ts";
import { eventText } from "../../views/events.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "events",
  summary: operations["workflow.events"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: {
    after: {
      type: "string",
      description: "Only records with a higher number",
      valueHint: "seq",
    },
    type: {
      type: "enum",
      options: [...EVENT_TYPES],
      multiple: true,
      description: "Only records of this type; may be given several times",
    },
    follow: {
      type: "boolean",
      description: "Go on with what is put on record, until the run ends",
    },
    full: { type: "boolean", description: "Print prompts and outputs, not their hashes" },
    ...STORE_ARGS,
  },
  operation: "workflow.events",
  streams: true,
  examples: [
    "pallium workflow events wf-01hv… --json --type settled",
    "pallium workflow events wf-01hv… --follow",
  ],
  async run(args, context) {
    const [id = ""] = args.rest;
    const after = args.integer("after");
    if (after !== undefined && after < 0) throw usageError("--after must be 0 or more");
    const events = await operations["workflow.events"].call(
      await context.services(),
      {
        ...storeOf(args),
        ...optional({ after }),
        id,
        types: args.list("type") as EventType[],
        full: args.flag("full"),
        follow: args.flag("follow"),
      },
      observerOf(context),
    );
    return { lines: linesOf(events), live: args.flag("follow") };
  },
};

async function* linesOf(events: AsyncIterable<JournalEvent>): AsyncGenerator<OutputLine> {
  for await (const event of events) {
    const { data, ...head } = event;
    yield { data: { ...head, ...data }, text: eventText(event) };
  }
}
