import type { IndexReport } from "../../../repo/reports/index-report.ts";

export function indexText(report: IndexReport): string {
  const { commit_count, file_count, cochange_edge_count, link_count, repo_root } = report;
  const counts = `${commit_count} commits, ${file_count} files, ${cochange_edge_count} co-change edges, ${link_count} links`;
  return `Indexed ${counts} in ${repo_root}${doneText(report)}`;
}

function doneText({ outcome, commits_added, commits_removed }: IndexReport): string {
  switch (outcome) {
    case "current":
      return " (nothing new)";
    case "updated":
      return ` (${commits_added} commits in, ${commits_removed} out)`;
    default:
      return "";
  }
}
