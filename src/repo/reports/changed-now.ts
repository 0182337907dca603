/** What the working tree has that no commit has. */
import { byPath } from "../../lib/by-text.ts";
import { counted } from "../../lib/counted.ts";
import { evidenceOf } from "../analysis/evidence.ts";
import { taskScopeReport } from "../analysis/scope.ts";
import { shellQuote } from "../verification/display.ts";
import { aheadOf, aheadText, mainBranches } from "./ahead-of-main.ts";
import type { ReportContext } from "./context.ts";
import { unknownFacts } from "./facts.ts";
import { MOST_LOOKED_AT, testsOf } from "./review-files.ts";
import type { ChangedNowReport } from "./shapes.ts";

const MOST_REACHED = 4;

/** The report as a command of its own: where nothing is left uncommitted it says where the work is. */
export async function changedNow(context: ReportContext): Promise<ChangedNowReport> {
  const report = changedNowReport(context);
  if (report.files.length > 0 || context.freshness.current_commit === "") return report;
  const ahead = await aheadOf(await mainBranches(context), context);
  if (ahead === undefined) return report;
  const where = `It is ${aheadText(ahead)}: pallium review ${shellQuote(ahead.branch)}`;
  return { ...report, summary: `${report.summary} ${where}` };
}

/** The files that are not committed, by path, each with what is known of it. */
export function changedNowReport(context: ReportContext): ChangedNowReport {
  const { freshness } = context;
  const changes = [...context.changes].sort(byPath);
  const task = taskScopeReport(
    context.task,
    changes.map(({ path }) => path),
  );
  const facts = changes.map(({ path }, at) =>
    at < MOST_LOOKED_AT ? context.factsOf(path) : unknownFacts(path),
  );
  const left = changes.length - MOST_LOOKED_AT;
  const closely = left > 0 ? `; only the first ${MOST_LOOKED_AT} were looked at closely` : "";
  const drift = task.has_scope_drift
    ? `; ${counted(task.out_of_scope_changed.length, "file")} outside the task`
    : "";
  return {
    summary:
      changes.length === 0
        ? "No file changed: the working tree is as it was committed."
        : `${counted(changes.length, "file")} changed and not committed${drift}${closely}.`,
    index_status: freshness.index_status,
    ...(freshness.is_stale && freshness.current_commit !== ""
      ? { recommended_next_command: "pallium index" }
      : {}),
    freshness,
    evidence: evidenceOf({
      commits: facts.reduce((total, { commits }) => total + commits, 0),
      links: facts.reduce((total, { links }) => total + links.length, 0),
      tests: facts.reduce((total, one) => total + testsOf(one).length, 0),
      commands: 0,
      changedFiles: changes.length,
      hasTask: task.goal !== "",
    }),
    files: changes.map(({ path, status }, at) => {
      const one = facts[at] ?? unknownFacts(path);
      return {
        path,
        working_tree_status: status,
        risk_level: one.level,
        suggested_tests: testsOf(one),
        blast_radius: one.blastRadius(MOST_REACHED),
      };
    }),
    task,
  };
}
