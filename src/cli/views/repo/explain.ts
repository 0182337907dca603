import type { ExplainReport } from "../../../repo/reports/shapes.ts";
import { block, enumeration, paragraph, pathItem, said, sentences, shown } from "../text.ts";
import {
  confidenceLine,
  freshnessLines,
  guidanceLines,
  sessionLines,
  verificationLines,
} from "./parts.ts";

const HASH_LENGTH = 8;
const DATE_LENGTH = 10;
const SUBJECT_LENGTH = 58;
const MOST_USERS = 8;

export function explainText(report: ExplainReport): string {
  return [
    `Path: ${shown(report.path)}`,
    ...paragraph(report.summary),
    confidenceLine(report.confidence),
    ...freshnessLines(report.freshness),
    ...sentences("Stop signals", stopSignals(report)),
    ...sentences("Why it matters", report.risk.reasons),
    ...sentences("Before you edit", report.edit_checklist),
    ...block("Blast radius", reachedLines(report)),
    ...usersLines("Used by", report.used_by_count, report.used_by),
    ...usersLines("Uses", report.uses_count, report.uses),
    ...block(
      "Suggested tests",
      report.test_choice.flatMap(({ path, reasons }) => pathItem(path, reasons)),
    ),
    ...verificationLines(report.verification),
    ...block(
      "Recent commits",
      report.recent_commits.map(
        ({ sha, subject, committed_at }) =>
          `- ${sha.slice(0, HASH_LENGTH)} ${committed_at.slice(0, DATE_LENGTH)} ${said(subject, SUBJECT_LENGTH)}`,
      ),
    ),
    ...block(
      "Decision notes",
      report.decisions.map(
        ({ source_ref, title }) =>
          `- ${source_ref.slice(0, HASH_LENGTH)} ${said(title, SUBJECT_LENGTH)}`,
      ),
    ),
    ...sessionLines(report.related_sessions),
    ...guidanceLines(report.action_guidance, report.verification),
  ].join("\n");
}

/** But for what the reasons of the risk say themselves. */
function stopSignals({ action_guidance, risk }: ExplainReport): readonly string[] {
  return action_guidance.stop_signals.filter(
    (signal) => !risk.reasons.some((reason) => signal.includes(reason)),
  );
}

/** Each file that an edit may reach, with how it is connected. */
function reachedLines({
  blast_radius,
  structural_links,
  suggested_tests,
  neighbors,
  used_by,
  uses,
}: ExplainReport): readonly string[] {
  return blast_radius.flatMap((path) => {
    const link = structural_links.find((one) => one.path === path);
    const isUser = used_by.some((one) => one.path === path);
    const isUsed = uses.some((one) => one.path === path);
    const together = neighbors.find((one) => one.path === path)?.cochange_count ?? 0;
    const isTest = suggested_tests.includes(path);
    return pathItem(path, [
      ...(link === undefined ? [] : [link.reason]),
      ...(isUser && link === undefined ? ["uses this file"] : []),
      ...(isUsed && link === undefined ? ["this file uses it"] : []),
      ...(isTest && link === undefined ? ["a test of it"] : []),
      ...(together > 1 ? [`changed together ${together} times`] : []),
    ]);
  });
}

function usersLines(
  title: string,
  count: number,
  links: readonly { readonly path: string }[],
): readonly string[] {
  if (count === 0) return [];
  const more = count - MOST_USERS;
  const names = links.slice(0, MOST_USERS).map(({ path }) => shown(path));
  return ["", ...enumeration(`${title} ${count}:`, more > 0 ? [...names, "…"] : names)];
}
