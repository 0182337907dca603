/** Everything to know of a file before it is edited. */
import { byPath } from "../../lib/by-text.ts";
import { counted } from "../../lib/counted.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { knownFile } from "../analysis/known-file.ts";
import type { RiskReport } from "../analysis/risk.ts";
import { type LinkRow, latestCommits } from "../history/queries.ts";
import { shellQuote } from "../verification/display.ts";
import { wantsTest } from "../verification/documentation.ts";
import type { ReportContext } from "./context.ts";
import type { FileFacts } from "./facts.ts";
import { fileParts } from "./file-report.ts";
import type { CommitSummary, ExplainReport } from "./shapes.ts";

const MOST_COMMITS = 5;
const MOST_LINKS = 6;
const MOST_USES = 20;
const MOST_DECISIONS = 3;
const MOST_SESSIONS = 3;
const HASH_LENGTH = 8;
const WEAKEST = "package";

/** @throws PalliumError `path_unknown`. */
export async function explainReport(context: ReportContext, path: string): Promise<ExplainReport> {
  // Git reads the messages meanwhile.
  const deciding = context.decisionsFor(path, MOST_DECISIONS);
  const parts = async () => fileParts(context, path, `pallium plan ${shellQuote(path)}`);
  const [{ facts, risk, suggestedTests, blastRadius, shared }, decisions, sessions] =
    await Promise.all([parts(), deciding, context.relatedSessions([path], MOST_SESSIONS)]);
  const commits = recentCommits(context, path);
  return {
    path,
    summary: fileSummary(facts, risk),
    freshness: shared.freshness,
    evidence: shared.evidence,
    edit_checklist: checklist(facts, risk, commits),
    suggested_tests: suggestedTests,
    test_choice: facts.tests.slice(0, suggestedTests.length),
    test_commands: shared.test_commands,
    verification: shared.verification,
    blast_radius: blastRadius,
    structural_links: facts.links.slice(0, MOST_LINKS),
    uses: strongest(facts.uses),
    uses_count: facts.uses.length,
    used_by: strongest(facts.usedBy),
    used_by_count: facts.usedBy.length,
    confidence: shared.confidence,
    action_guidance: shared.action_guidance,
    risk,
    recent_commits: commits,
    decisions,
    neighbors: risk.top_neighbors,
    related_sessions: sessions,
  };
}

/** One sentence or two on how risky the file is, and why. */
export function fileSummary(facts: FileFacts, risk: RiskReport): string {
  if (!facts.exists) {
    return `The file is no longer there; ${counted(facts.commits, "commit")} touched it.`;
  }
  const history =
    facts.commits === 0
      ? "No commit has touched it yet"
      : `${counted(facts.commits, "commit")} by ${counted(facts.authors, "author")}`;
  const users =
    facts.usedBy.length === 0
      ? "nothing is known to use it"
      : `${counted(facts.usedBy.length, "file uses", "files use")} it`;
  const tests =
    facts.tests.length === 0 ? "no test found" : `${counted(facts.tests.length, "test")} found`;
  return `Risk ${risk.level} (${risk.score} of 100). ${history}; ${users}; ${tests}.`;
}

function recentCommits({ view }: ReportContext, path: string): readonly CommitSummary[] {
  const file = knownFile(view, path);
  if (file === undefined) return [];
  return latestCommits(view.index, file.id, MOST_COMMITS).map(({ hash, subject, committedAt }) => ({
    sha: hash,
    subject,
    committed_at: isoTime(committedAt),
  }));
}

function checklist(
  facts: FileFacts,
  risk: RiskReport,
  [newest]: readonly CommitSummary[],
): readonly string[] {
  const items: string[] = [];
  const [partner] = facts.usualPartners;
  if (partner !== undefined) {
    items.push(
      `Look at ${partner.path} too: changed together in ${partner.cochange_count} of ${partner.support} commits.`,
    );
  }
  if (facts.usedBy.length > 0) {
    items.push(
      `Keep what others rely on: ${counted(facts.usedBy.length, "file uses", "files use")} it.`,
    );
  }
  if (newest !== undefined) {
    items.push(`Read the last change: git show ${newest.sha.slice(0, HASH_LENGTH)}`);
  }
  if (risk.recent_touch_count >= 2) {
    items.push(
      `${counted(risk.recent_touch_count, "commit")} in the last 30 days: others may be at work here.`,
    );
  }
  if (facts.tests.length === 0 && wantsTest(facts.path)) {
    items.push("No test was found for it: cover what you change.");
  }
  return items;
}

function strongest(links: readonly LinkRow[]): readonly LinkRow[] {
  return [...links]
    .sort((a, b) => Number(a.kind === WEAKEST) - Number(b.kind === WEAKEST) || byPath(a, b))
    .slice(0, MOST_USES);
}
