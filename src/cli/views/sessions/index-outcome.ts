import type { IndexCounts } from "../../../sessions/ingest/rules.ts";

/** What was done, and what was left, where there is any. */
export function indexText(counts: IndexCounts): string {
  const notes: readonly (readonly [number, string])[] = [
    [counts.unchanged, "unchanged"],
    [counts.active, "still being written"],
    [counts.left_out, "forgotten or pruned"],
    [counts.duplicates, "held by another file"],
    [counts.malformed, "lines that are no records"],
  ];
  const said = notes.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const first = `Indexed ${counts.indexed} agent sessions`;
  return said.length === 0 ? first : `${first} (${said.join(", ")})`;
}
