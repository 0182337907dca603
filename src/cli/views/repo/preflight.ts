import type { PreflightReport } from "../../../repo/reports/shapes.ts";
import { lines, paragraph, said, sentences } from "../text.ts";
import { freshnessLines, taskLines, verificationLines } from "./parts.ts";

export function preflightText(report: PreflightReport): string {
  return [
    "Workflow preflight",
    `Task: ${said(report.task)}`,
    ...paragraph(`Summary: ${report.summary}`),
    ...freshnessLines(report.freshness),
    ...lines("Scope", report.scope_paths),
    ...lines("Risk", report.risk_summary),
    ...lines("Inspect", report.files_to_inspect),
    ...verificationLines(report.verification),
    ...taskLines(report.task_scope),
    ...sentences("Agent instructions", report.agent_instructions),
    ...lines("Next actions", report.next_actions),
    ...sentences("Left out", report.notes),
  ].join("\n");
}
