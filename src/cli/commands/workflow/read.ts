import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { readText } from "../../views/read.ts";
import { droppedLines } from "../../views/run.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export const command: Command = {
  name: "read",
  summary: operations["workflow.read"].summary,
  positionals: "<run-id>",
  arity: [1, 1],
  args: STORE_ARGS,
  operation: "workflow.read",
  async run(args, context) {
    const [id = ""] = args.rest;
    const report = await operations["workflow.read"].call(
      await context.services(),
      { ...storeOf(args), id },
      observerOf(context),
    );
    if (report.result !== "" && report.error !== "") context.printer.warn(report.error);
    for (const line of droppedLines(report.failures)) context.printer.notice(line);
    return { data: asJson(report), text: readText(report) };
  },
};
