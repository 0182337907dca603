import { counted } from "../../../lib/counted.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import type { ForgetReport, NamedSession } from "../../../sessions/keeping/forget.ts";
import type { PruneReport } from "../../../sessions/keeping/prune.ts";
import { shown } from "../text.ts";

const TITLE_LENGTH = 90;

export function forgetText(report: ForgetReport): string {
  const { sessions, forgotten, kept_by_forks: forks, transcripts, go_databases: go } = report;
  const verb = forgotten ? "Forgotten" : "Would be forgotten";
  return [
    `${verb}: ${counted(sessions.length, "session")}`,
    ...sessions.map(nameLine),
    ...listed("Forks keep what they took over (--with-forks forgets them too):", forks),
    ...listed("Transcripts stay where they are, and are read no more:", transcripts),
    ...listed("What the Go program recorded stays in:", go),
  ].join("\n");
}

export function pruneText({ sessions, count, dry_run: dryRun, bytes_freed: bytes }: PruneReport) {
  const what = counted(count, "session");
  const first = dryRun ? `Would be removed: ${what}` : `Removed: ${what} (${bytes} bytes freed)`;
  return [first, ...sessions.map(nameLine)].join("\n");
}

function nameLine({ id, updated_at: time, title, messages }: NamedSession): string {
  const name = oneLine(printable(title), TITLE_LENGTH);
  return `  ${time || "-"}  ${shown(id)}  ${name} (${counted(messages, "message")})`;
}

function listed(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [title, ...entries.map((entry) => `  ${shown(entry)}`)];
}
