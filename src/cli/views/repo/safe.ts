import type { SafeReport } from "../../../repo/reports/shapes.ts";
import { lines, paragraph, sentences, shown } from "../text.ts";
import { confidenceLine, freshnessLines, guidanceLines, verificationLines } from "./parts.ts";

export function safeText(report: SafeReport): string {
  return [
    `Path: ${shown(report.path)}`,
    `Verdict: ${report.verdict}`,
    ...paragraph(report.summary),
    confidenceLine(report.confidence),
    ...freshnessLines(report.freshness),
    ...sentences("Stop signals", report.action_guidance.stop_signals),
    ...sentences("Required checks", report.required_checks),
    ...lines("Blast radius", report.blast_radius),
    ...lines("Suggested tests", report.suggested_tests),
    ...verificationLines(report.verification),
    ...guidanceLines(report.action_guidance, report.verification),
  ].join("\n");
}
