import { counted } from "../../../lib/counted.ts";
import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { AuditReport } from "../../../workflow/audit/audit.ts";
import type { Command } from "../../command.ts";
import { auditText } from "../../views/audit.ts";
import { observerOf } from "../observer.ts";

export const command: Command = {
  name: "audit",
  summary: operations["workflow.audit"].summary,
  arity: [0, 0],
  args: {
    "run-acceptance": {
      type: "boolean",
      description: "Also have scripts/workflow-acceptance.sh, which is built in, try this program",
    },
  },
  operation: "workflow.audit",
  examples: ["pallium workflow audit", "pallium workflow audit --run-acceptance --json"],
  async run(args, context) {
    const report = await operations["workflow.audit"].call(
      await context.services(),
      { run_acceptance: args.flag("run-acceptance") },
      observerOf(context),
    );
    const error = incomplete(report);
    return {
      data: asJson(report),
      text: auditText(report),
      styledText: auditText(report, { colours: true }),
      ...(error && { error }),
    };
  },
};

/** What was not asked for is nothing that is missing. */
function incomplete({
  complete,
  counts,
  acceptance_passed,
}: AuditReport): PalliumError | undefined {
  if (complete && acceptance_passed !== false) return undefined;
  const { failed, not_in_this_version: absent } = counts;
  const parts = [
    ...(failed === 0 ? [] : [`${counted(failed, "requirement")} failed`]),
    ...(absent === 0 ? [] : [`${counted(absent, "requirement")} not in this version`]),
  ];
  return new PalliumError("audit_incomplete", `the audit is not complete: ${parts.join(", ")}`, {
    hints: ["each says above what was seen"],
  });
}
