/** Whether a file can be edited right away, and what has to be looked at first. */
import type { RiskLevel } from "../analysis/risk.ts";
import { wantsTest } from "../verification/documentation.ts";
import type { ReportContext } from "./context.ts";
import { fileSummary } from "./explain.ts";
import { explainCommand, type FileParts, fileParts } from "./file-report.ts";
import type { SafeReport, Verdict } from "./shapes.ts";

const MOST_TO_LOOK_AT = 3;

const VERDICT: Readonly<Record<RiskLevel, Verdict>> = {
  low: "safe_with_normal_review",
  medium: "review_neighbors_first",
  high: "inspect_context_first",
  unknown: "review_neighbors_first",
};

/** @throws PalliumError `path_unknown`. */
export function safeReport(context: ReportContext, path: string): SafeReport {
  const parts = fileParts(context, path, explainCommand(path));
  const { facts, level, risk, shared } = parts;
  return {
    path,
    verdict: VERDICT[level],
    summary: fileSummary(facts, risk),
    freshness: shared.freshness,
    evidence: shared.evidence,
    required_checks: requiredChecks(parts, path),
    suggested_tests: parts.suggestedTests,
    test_commands: shared.test_commands,
    verification: shared.verification,
    blast_radius: parts.blastRadius,
    confidence: shared.confidence,
    action_guidance: shared.action_guidance,
    risk,
  };
}

function requiredChecks(
  { blastRadius, suggestedTests, shared }: FileParts,
  path: string,
): readonly string[] {
  const toLookAt = blastRadius.slice(0, MOST_TO_LOOK_AT);
  return [
    `Read: ${explainCommand(path)}`,
    ...(toLookAt.length > 0 ? [`Look at: ${toLookAt.join(", ")}`] : []),
    ...afterTheEdit(path, shared.verification.fast, suggestedTests),
  ];
}

function afterTheEdit(
  path: string,
  fast: readonly string[],
  tests: readonly string[],
): readonly string[] {
  if (fast.length > 0) return ["Run after the edit: pallium verify fast"];
  if (tests.length > 0) return [`Run after the edit: ${tests.join(", ")}`];
  return wantsTest(path) ? ["No test was found: cover what you change"] : [];
}
