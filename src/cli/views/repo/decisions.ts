import type { Decision } from "../../../repo/decisions/search.ts";
import { remarkedItem } from "../text.ts";

const HASH_DIGITS = 8;
const DATE_DIGITS = 10;

export function decisionsText(decisions: readonly Decision[]): string {
  if (decisions.length === 0) return "No matching decision notes found.";
  return ["Matching decisions:", ...decisions.flatMap(lines)].join("\n");
}

function lines({ title, source_ref, committed_at, run_id }: Decision): readonly string[] {
  const source = run_id === undefined ? source_ref.slice(0, HASH_DIGITS) : `run ${run_id}`;
  return remarkedItem(title, `${source}, ${committed_at.slice(0, DATE_DIGITS)}`);
}
