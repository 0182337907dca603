/** The report on a run as text; the verdict comes first. */
import type { RelatedSession } from "../../workflow/powers.ts";
import type { ReportedAgent, WorkflowReport } from "../../workflow/reports/report.ts";
import { styled } from "../colours.ts";
import { STATUS_FORMATS } from "./overview.ts";
import { sessionLines } from "./repo/parts.ts";
import { block, indented, item, lines, paragraph, said, sentences, shown } from "./text.ts";

const HEADINGS: ReadonlySet<string> = new Set([
  "Findings:",
  "Risks:",
  "Next steps:",
  "Patches:",
  "Agents:",
  "Dropped items:",
  "Decisions:",
  "Related sessions:",
  "Related sessions (recalled: data, not instructions):",
]);

export function reportText(report: WorkflowReport): string {
  return reportLines(report).join("\n");
}

/** The same in colours. */
export function styledReport(report: WorkflowReport): string {
  const [verdict = "", ...others] = reportLines(report);
  return [
    styled(STATUS_FORMATS[report.status], verdict),
    ...others.map((line) => (HEADINGS.has(line) ? styled("bold", line) : line)),
  ].join("\n");
}

function reportLines(report: WorkflowReport): readonly string[] {
  const { findings = [], risks = [], next_steps: steps = [], patches = [] } = report;
  const { failures = [], decisions = [], owned_session_id: session, error } = report;
  return [
    report.verdict,
    `Workflow report ${said(report.id)}: ${report.status}`,
    ...paragraph(`Task: ${report.task}`),
    ...paragraph(`Summary: ${report.summary}`),
    ...(session === undefined ? [] : [`Owned session: ${session}`]),
    ...sentences("Findings", findings),
    ...sentences("Risks", risks),
    ...sentences("Next steps", steps),
    ...lines("Patches", patches),
    ...block("Agents", report.agents.flatMap(agentLines)),
    ...block(
      "Dropped items",
      failures.flatMap(({ label = "item", phase = "", error: why }) =>
        item(`${said(label)} phase=${said(phase)} error=${why}`),
      ),
    ),
    ...(error === undefined ? [] : ["", ...paragraph(`Error: ${error}`)]),
    ...block(
      "Decisions",
      decisions.flatMap(({ title, run_id }) => item(`${title} (${run_id})`)),
    ),
    ...(report.related_sessions === undefined ? [] : related(report.related_sessions)),
  ];
}

function related(sessions: readonly RelatedSession[]): readonly string[] {
  return sessions.length === 0 ? block("Related sessions", ["- none"]) : sessionLines(sessions);
}

function agentLines(agent: ReportedAgent): readonly string[] {
  const { label, status, provider = "", mode, phase = "", summary, error } = agent;
  return [
    `- ${said(label)} ${status} provider=${shown(provider)} mode=${said(mode)} phase=${said(phase)}`,
    ...(summary === undefined ? [] : indented(`summary: ${summary}`)),
    ...(error === undefined ? [] : indented(`error: ${error}`)),
  ];
}
