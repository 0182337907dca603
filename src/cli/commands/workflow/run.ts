import { asJson } from "../../../lib/json.ts";
import { optional } from "../../../lib/optional.ts";
import { operations } from "../../../operations/table.ts";
import type { BackgroundRun } from "../../../workflow/run/background.ts";
import type { RunRequest } from "../../../workflow/run/request.ts";
import type { RunReport } from "../../../workflow/run/run-report.ts";
import type { Command, CommandResult, ParsedArgs } from "../../command.ts";
import { runText } from "../../views/run.ts";
import { observerOf } from "../observer.ts";
import { LIMIT_ARGS, limitsOf } from "./limit-args.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "run",
  summary: operations["workflow.run"].summary,
  positionals: "[/name] [task...]",
  arity: [0, Number.POSITIVE_INFINITY],
  args: {
    id: {
      type: "string",
      description: "Id of the run; a known one is executed again",
      valueHint: "id",
    },
    cwd: { type: "string", description: "Directory the run works in", valueHint: "path" },
    script: { type: "string", description: "Workflow script to run", valueHint: "path" },
    workflow: { type: "string", description: "Saved workflow to run", valueHint: "name" },
    args: { type: "string", description: "JSON the script reads as `args`", valueHint: "json" },
    ...LIMIT_ARGS,
    "max-active-runs": {
      type: "string",
      description: "Refuse to start while this many runs are active",
      valueHint: "n",
    },
    "loop-name": { type: "string", description: "Loop this run belongs to", valueHint: "name" },
    record: {
      type: "string",
      description: "Record what agents answer in this folder, secrets taken out",
      valueHint: "path",
    },
    replay: {
      type: "string",
      description: "Have recordings of this folder answer in the place of agents, for nothing",
      valueHint: "path",
    },
    ...STORE_ARGS,
  },
  operation: "workflow.run",
  examples: [
    'pallium workflow run "review this branch"',
    'pallium workflow run --script review.js --args \'{"topic":"auth"}\'',
    "pallium workflow run --script review.js --background",
    'pallium workflow run /review-branch "review this branch"',
  ],
  async run(args, context) {
    const request = requestOf(args);
    const services = await context.services();
    if (args.flag("background")) {
      return backgroundResult(
        await operations["workflow.run.background"].call(services, request, observerOf(context)),
      );
    }
    return reportResult(
      await operations["workflow.run"].call(services, request, observerOf(context)),
    );
  },
};

function requestOf(args: ParsedArgs): RunRequest {
  return {
    ...limitsOf(args),
    ...storeOf(args),
    ...optional({
      id: args.text("id"),
      cwd: args.text("cwd"),
      script: args.text("script"),
      workflow: args.text("workflow"),
      args: args.text("args"),
      max_active_runs: args.integer("max-active-runs"),
      loop_name: args.text("loop-name"),
      record: args.text("record"),
      replay: args.text("replay"),
    }),
    task: args.rest.join(" "),
  };
}

export function backgroundResult(run: BackgroundRun): CommandResult {
  return {
    data: asJson(run),
    text: `Workflow started: ${run.id}\nOwned session: ${run.owned_session_id}`,
  };
}

export function reportResult({ snapshot, error }: RunReport): CommandResult {
  return {
    data: asJson(snapshot),
    text: runText(snapshot),
    ...(error === undefined ? {} : { error }),
  };
}
