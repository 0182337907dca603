/** Finds the JSON in an answer that should have been nothing else. */
import { parseJson } from "../lib/json.ts";

/** Characters looked at before giving up, so that a text of nothing but brackets ends in time. */
const SCAN_LIMIT = 50_000_000;

const FENCED = /^```[^\n`]*\n([\s\S]*?)\n?```$/;

/**
 * Strips one code fence around the whole text; if that leaves no JSON, takes the first balanced
 * `{...}` or `[...]` that parses. The text itself, trimmed, where there is none.
 */
export function recoverJson(text: string): string {
  const trimmed = text.trim();
  const bare = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  if (parseJson(bare) !== undefined) return bare;
  return firstJsonSpan(bare) ?? bare;
}

function firstJsonSpan(text: string): string | undefined {
  let budget = SCAN_LIMIT;
  for (let start = nextOpening(text, 0); start >= 0; start = nextOpening(text, start + 1)) {
    const end = balancedEnd(text, start, budget);
    budget -= (end ?? text.length) - start;
    if (budget <= 0) return undefined;
    if (end === undefined) continue;
    const span = text.slice(start, end);
    if (parseJson(span) !== undefined) return span;
  }
  return undefined;
}

function nextOpening(text: string, from: number): number {
  const brace = text.indexOf("{", from);
  const bracket = text.indexOf("[", from);
  if (brace < 0 || bracket < 0) return Math.max(brace, bracket);
  return Math.min(brace, bracket);
}

/** Index behind the bracket that closes the one at `start`; brackets in strings do not count. */
function balancedEnd(text: string, start: number, budget: number): number | undefined {
  const limit = Math.min(text.length, start + budget);
  let depth = 0;
  let inString = false;
  for (let at = start; at < limit; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
