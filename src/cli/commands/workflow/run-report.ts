/** What `show`, `inspect` and `status` share: each reports one run, as data and as text. */
import { asJson } from "../../../lib/json.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { RunIdRequest } from "../../../workflow/with-store.ts";
import type { Command } from "../../command.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

export function runReportCommand<Report extends object>(
  name: string,
  operation: Operation<RunIdRequest, Report>,
  text: (report: Report) => string,
): Command {
  return {
    name,
    summary: operation.summary,
    positionals: "<run-id>",
    arity: [1, 1],
    args: STORE_ARGS,
    operation: `workflow.${name}`,
    async run(args, context) {
      const [id = ""] = args.rest;
      const services = await context.services();
      const report = await operation.call(services, { ...storeOf(args), id }, observerOf(context));
      return { data: asJson(report), text: text(report) };
    },
  };
}
