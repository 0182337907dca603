/** How two texts that runs have on record differ. Pure. */
import { type Json, parseJson, prettyJson } from "../../lib/json.ts";
import { diffLines, type Hunk, hunksOf } from "../../lib/line-diff.ts";
import { describeDifference } from "../../lib/text-difference.ts";

export interface TextDifference {
  /** In words, such as `first difference at character 7 ("auth" → "billing")`. */
  readonly where: string;
  /** Lines; 0 where they were not compared. */
  readonly removed: number;
  readonly added: number;
  /** Hunks of a unified diff. */
  readonly diff?: string;
  /** Why that is missing. */
  readonly diff_omitted?: "too_large";
}

/** @returns `undefined` of texts that are equal, or JSON objects or lists of equal content. */
export type CompareTexts = (before: string, after: string) => TextDifference | undefined;

/** Characters of a text that is still compared line by line, of one difference, and of all of them. */
const LONGEST_TEXT = 1024 * 1024;
const LONGEST_DIFF = 256 * 1024;
const MOST_OF_ALL = 8 * 1024 * 1024;
/** Lines around a change. */
const AROUND = 3;

/** Compares the texts of one pair of runs; what it hands out is limited all in all. */
export function createTextComparison(): CompareTexts {
  let room = MOST_OF_ALL;
  return (before, after) => {
    if (before === after) return undefined;
    const [old, now] = laidOut(before, after);
    if (old === now) return undefined;
    const where = describeDifference(old, now);
    const isLong = room === 0 || Math.max(old.length, now.length) > LONGEST_TEXT;
    const lines = isLong ? [] : diffLines(old, now);
    const count = (kind: "removed" | "added") => lines.filter((line) => line.kind === kind).length;
    const counts = { removed: count("removed"), added: count("added") };
    const diff = isLong ? "" : hunksOf(lines, AROUND).map(hunkText).join("");
    if (isLong || diff.length > Math.min(room, LONGEST_DIFF)) {
      if (diff.length > room) room = 0;
      return { where, ...counts, diff_omitted: "too_large" };
    }
    room -= diff.length;
    return { where, ...counts, ...(diff === "" ? {} : { diff }) };
  };
}

/** JSON on many lines with sorted keys, where both are; else the texts as they are. */
function laidOut(before: string, after: string): readonly [string, string] {
  const [old, now] = [structure(before), structure(after)];
  if (old === undefined || now === undefined) return [before, after];
  try {
    return [prettyJson(old), prettyJson(now)];
  } catch (error) {
    // Nested deeper than calls can be.
    if (error instanceof RangeError) return [before, after];
    throw error;
  }
}

function structure(text: string): Json | undefined {
  return text.length <= LONGEST_TEXT && /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
}

function hunkText({ oldStart, oldCount, newStart, newCount, lines }: Hunk): string {
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  const head = `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n`;
  return head + lines.map(({ kind, text }) => `${SIGNS[kind]}${text}\n`).join("");
}

const SIGNS = { context: " ", removed: "-", added: "+" } as const;
