import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { WatchFrame } from "../../../workflow/live/frame.ts";
import { coloursWanted, isDumb } from "../../colours.ts";
import type { Command, OutputLine, ScreenView } from "../../command.ts";
import { changedLines } from "../../views/watch/changed-lines.ts";
import { frameRows } from "../../views/watch/frame-rows.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

/** Fewest milliseconds between two frames: what a person sees, what a program reads, what a log keeps. */
const SCREEN_MS = 200;
const JSON_MS = 250;
const LOG_MS = 1000;

export const command: Command = {
  name: "watch",
  summary: operations["workflow.watch"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.watch",
  streams: true,
  examples: ["pallium workflow watch wf-1", "pallium workflow watch wf-1 --json | jq .verdict"],
  async run(args, context) {
    const [id = ""] = args.rest;
    const { environment, json } = context;
    const onScreen = !json && environment.stdoutIsTerminal && !isDumb(environment);
    const interval_ms = json ? JSON_MS : onScreen ? SCREEN_MS : LOG_MS;
    const frames = failing(
      await operations["workflow.watch"].call(
        await context.services(),
        { ...storeOf(args), id, interval_ms },
        observerOf(context),
      ),
    );
    if (!onScreen) return { lines: json ? documents(frames) : logLines(frames), live: true };
    return { screen: views(frames, coloursWanted(environment, args.flag("no-color"))) };
  },
};

/** Fails once the run has ended in a way that counts as a failure. */
async function* failing(frames: AsyncIterable<WatchFrame>): AsyncGenerator<WatchFrame> {
  for await (const frame of frames) {
    yield frame;
    if (frame.failure === undefined) continue;
    const { code, message, hints } = frame.failure;
    throw new PalliumError(code, message, { hints });
  }
}

async function* documents(frames: AsyncIterable<WatchFrame>): AsyncGenerator<OutputLine> {
  for await (const frame of frames) yield { data: asJson(frame), text: "" };
}

async function* logLines(frames: AsyncIterable<WatchFrame>): AsyncGenerator<OutputLine> {
  const changed = changedLines();
  for await (const frame of frames) {
    for (const text of changed(frame)) yield { data: null, text };
  }
}

async function* views(
  frames: AsyncIterable<WatchFrame>,
  colours: boolean,
): AsyncGenerator<ScreenView> {
  for await (const frame of frames) {
    yield { rows: (size, now, isLive) => frameRows(frame, { ...size, colours, now, isLive }) };
  }
}
