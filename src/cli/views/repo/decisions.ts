import type { Decision } from "../../../repo/decisions/search.ts";
import { remarkedItem } from "./text.ts";

const HASH_DIGITS = 8;
const DATE_DIGITS = 10;

export function decisionsText(decisions: readonly Decision[]): string {
  if (decisions.length === 0) return "No matching decision notes found.";
  return ["Matching decisions:", ...decisions.flatMap(lines)].join("\n");
}

function lines({ title, source_ref, committed_at }: Decision): readonly string[] {
  const commit = `${source_ref.slice(0, HASH_DIGITS)}, ${committed_at.slice(0, DATE_DIGITS)}`;
  return remarkedItem(title, commit);
}
