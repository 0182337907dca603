/** What `analytics` and `fleet` share: each counts the newest runs, as data and as text. */
import { asJson } from "../../../lib/json.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { OverviewRequest } from "../../../workflow/reports/operations.ts";
import type { Command } from "../../command.ts";
import type { TableOptions } from "../../views/table.ts";
import { observerOf } from "../observer.ts";
import { newestArgs, newestOf } from "./newest-args.ts";
import { STORE_ARGS, storeOf } from "./store-args.ts";

/** @param most runs, unless the user says otherwise. */
export function overviewCommand<Report extends object>(
  name: string,
  operation: Operation<OverviewRequest, Report> & { readonly name: string },
  most: number,
  text: (report: Report, options: TableOptions) => string,
): Command {
  return {
    name,
    summary: operation.summary,
    arity: [0, 0],
    args: { ...newestArgs("Most runs to count, the newest", most), ...STORE_ARGS },
    operation: operation.name,
    async run(args, context) {
      const services = await context.services();
      const request = { ...storeOf(args), limit: newestOf(args) };
      const report = await operation.call(services, request, observerOf(context));
      const { columns } = context.environment;
      return {
        data: asJson(report),
        text: text(report, { columns, colours: false }),
        styledText: text(report, { columns, colours: true }),
      };
    },
  };
}
