import { missingPartnerText } from "../../../repo/reports/missing-partners.ts";
import type { ReviewedFile, ReviewReport } from "../../../repo/reports/shapes.ts";
import {
  block,
  indented,
  item,
  lines,
  paragraph,
  pathItem,
  said,
  sentences,
  shown,
} from "../text.ts";
import {
  confidenceLine,
  freshnessLines,
  guidanceLines,
  historyLines,
  sessionLines,
  taskLines,
  verificationLines,
} from "./parts.ts";

const HASH_LENGTH = 8;
/** The report in JSON has all of them. */
const MOST_FILES = 20;
const MOST_SECRETS = 10;

export function reviewText(report: ReviewReport): string {
  const from = report.merge_base.slice(0, HASH_LENGTH);
  const isEmpty = report.changed_files.length === 0;
  return [
    `Review base: ${said(report.base_ref)}${from === "" ? "" : ` (from ${from})`}`,
    ...paragraph(report.summary),
    ...(isEmpty ? [] : [confidenceLine(report.confidence)]),
    ...freshnessLines(report.freshness),
    ...sentences("Stop signals", report.action_guidance.stop_signals),
    ...sentences("Notes", otherNotes(report)),
    ...block("Secrets", secretLines(report)),
    ...filesBlock(report.changed_files),
    ...partnersBlock(report),
    ...lines("Changed without a known test", report.untested, MOST_FILES),
    ...lines("Required tests", report.required_tests),
    ...verificationLines(report.verification, (tier) => verifyCommand(report, tier)),
    ...taskLines(report.task),
    ...sessionLines(report.related_sessions),
    ...historyLines(report.verification_history),
    ...(isEmpty ? [] : guidanceLines(report.action_guidance, report.verification)),
  ].join("\n");
}

/** What is staged alone cannot be verified: the commands run on the working tree. */
function verifyCommand({ base_ref, head_ref }: ReviewReport, tier: string): string {
  return head_ref === "HEAD" ? `pallium verify ${tier} --base ${shown(base_ref)}` : "";
}

function otherNotes(report: ReviewReport): readonly string[] {
  const { notes, action_guidance, freshness, missing_partners } = report;
  const said = [
    ...freshness.reasons,
    ...action_guidance.stop_signals,
    ...missing_partners.map(missingPartnerText),
  ];
  return notes.filter((note) => !said.includes(note));
}

function secretLines({ secrets }: ReviewReport): readonly string[] {
  const more = secrets.length - MOST_SECRETS;
  return [
    ...secrets
      .slice(0, MOST_SECRETS)
      .map(({ file, line, rule }) => `- ${shown(file)}:${line} ${rule}`),
    ...(more > 0 ? [`- and ${more} more (--json lists all)`] : []),
  ];
}

function filesBlock(files: readonly ReviewedFile[]): readonly string[] {
  const more = files.length - MOST_FILES;
  return block("Changed files", [
    ...files.slice(0, MOST_FILES).flatMap(fileLines),
    ...(more > 0 ? [`- and ${more} more (--json lists all)`] : []),
  ]);
}

/** One line each, and a reason where the file deserves a look. */
function fileLines(file: ReviewedFile): readonly string[] {
  const facts = [
    file.status === "D" ? "deleted" : file.risk_level,
    file.change_source,
    ...(file.old_path === undefined ? [] : [`was ${shown(file.old_path)}`]),
    ...(file.boundary_labels ?? []).map((label) => `${label} boundary`),
    ...(file.needs_tests ? ["no test known"] : []),
  ];
  const [reason] = file.top_reasons;
  return [
    ...pathItem(file.path, [facts.join(", ")]),
    ...(reason === undefined || !file.needs_review ? [] : indented(reason)),
  ];
}

function partnersBlock({ missing_partners }: ReviewReport): readonly string[] {
  return block(
    "Usually changes too, and did not",
    missing_partners.flatMap(({ path, changed, together, of }) =>
      item(`${shown(path)}: with ${shown(changed)} in ${together} of ${of} commits`),
    ),
  );
}
