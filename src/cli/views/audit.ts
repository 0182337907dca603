/** What an audit found, by version: each requirement with its evidence. */
import type { AuditedRequirement, AuditReport } from "../../workflow/audit/audit.ts";
import type { AuditStatus } from "../../workflow/audit/finding.ts";
import { type Format, styled } from "../colours.ts";

const WORDS: Readonly<Record<AuditStatus, { readonly words: string; readonly format: Format }>> = {
  passed: { words: "passed", format: "green" },
  failed: { words: "FAILED", format: "red" },
  not_in_this_version: { words: "not in this version", format: "yellow" },
  needs_acceptance: { words: "not tried", format: "dim" },
};

export function auditText(report: AuditReport, { colours = false } = {}): string {
  const { counts } = report;
  return [
    "Workflow version audit",
    `Versions: ${report.versions.join(", ")}`,
    `Requirements: ${report.requirements.length} (${counts.passed} passed, ${counts.failed} failed, ${counts.not_in_this_version} not in this version)`,
    `Complete: ${report.complete}`,
    `Acceptance: ${report.acceptance_script}`,
    ...Object.entries(report.by_version).flatMap(([version, requirements]) => [
      "",
      `${version} (${requirements.length} requirements):`,
      ...requirements.flatMap((requirement) => requirementLines(requirement, colours)),
    ]),
    ...acceptanceLines(report),
  ].join("\n");
}

function requirementLines(requirement: AuditedRequirement, colours: boolean): readonly string[] {
  const { name, description, status, evidence, duration_ms } = requirement;
  const { words, format } = WORDS[status];
  const shown = colours ? styled(format, words) : words;
  const time = duration_ms === 0 ? "" : ` (${duration_ms} ms)`;
  return [`- ${name}: ${description}`, `  ${shown}: ${evidence}${time}`];
}

function acceptanceLines({ acceptance_passed, acceptance_error }: AuditReport): readonly string[] {
  if (acceptance_passed === undefined) return [];
  return [
    "",
    `Acceptance gate: ${acceptance_passed ? "passed" : "failed"}`,
    ...(acceptance_error ?? "").split("\n").map((line) => `  ${line}`.trimEnd()),
  ];
}
