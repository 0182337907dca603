import { oneLine } from "../../../lib/one-line.ts";
import type { Decision } from "../../../repo/decisions/search.ts";

const HASH_DIGITS = 8;

export function decisionsText(decisions: readonly Decision[]): string {
  if (decisions.length === 0) return "No matching decision notes found.";
  return ["Matching decisions:", ...decisions.map(line)].join("\n");
}

function line({ title, source_ref, committed_at }: Decision): string {
  return `- ${oneLine(title, 100)} (${source_ref.slice(0, HASH_DIGITS)}, ${committed_at.slice(0, 10)})`;
}
