/** What a script's author should know though the script can run. */
import type { Program } from "acorn";
import type { Json } from "../../../lib/json.ts";
import { positionAt, type ScriptWarning } from "../fault.ts";
import { apiCalls } from "./api-names.ts";
import { findUnknownFunctions, findUnknownOptions } from "./options.ts";
import { findUnenteredPhases } from "./phases.ts";
import { type Finding, readSource } from "./source.ts";
import { findUnawaited } from "./unawaited.ts";
import { findUndeclared } from "./undeclared.ts";
import { findDeadCode, unreachableFindings } from "./unreachable.ts";

/** Warnings of one code that are given one by one; a longer list is no help to anybody. */
const MOST_OF_A_KIND = 50;

/**
 * Looks for what is almost certainly a mistake, in the order of the text. What only a run could
 * tell is left out.
 * @param text the script that `program` was parsed from, with ranges.
 * @param meta the value of its meta block.
 */
export async function findWarnings(
  text: string,
  program: Program,
  meta: Json | null,
): Promise<ScriptWarning[]> {
  const source = await readSource(program);
  if (source === undefined) {
    const message = "The script is nested too deeply to look for mistakes";
    return [{ code: "unchecked", message, line: 1, column: 1 }];
  }
  const calls = apiCalls(source);
  const deadCode = findDeadCode(source);
  return [
    findUndeclared(source),
    findUnawaited(source, calls),
    findUnknownOptions(source, calls),
    findUnknownFunctions(source),
    findUnenteredPhases(source, calls, meta, deadCode),
    unreachableFindings(deadCode),
  ]
    .flatMap(shortened)
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, ...warning }) => ({ ...warning, ...positionAt(text, offset) }));
}

function shortened(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.toSorted((a, b) => a.offset - b.offset);
  const next = sorted[MOST_OF_A_KIND];
  if (next === undefined) return sorted;
  const message = `${sorted.length - MOST_OF_A_KIND} more warnings of this kind are not shown`;
  return [...sorted.slice(0, MOST_OF_A_KIND), { ...next, message }];
}
