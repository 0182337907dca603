import type { PlanReport } from "../../../repo/reports/shapes.ts";
import { lines, sentences, shown } from "../text.ts";
import { confidenceLine, freshnessLines, guidanceLines, verificationLines } from "./parts.ts";

export function planText(report: PlanReport): string {
  return [
    `Path: ${shown(report.path)}`,
    `Goal: ${report.goal}`,
    `Risk: ${report.risk.level} (${report.risk.score} of 100)`,
    confidenceLine(report.confidence),
    ...freshnessLines(report.freshness),
    ...sentences("Stop signals", report.action_guidance.stop_signals),
    ...lines("Files to inspect", report.files_to_inspect),
    ...sentences("Suggested steps", report.steps),
    ...lines("Tests to run", report.tests_to_run),
    ...verificationLines(report.verification),
    ...guidanceLines(report.action_guidance, report.verification),
  ].join("\n");
}
