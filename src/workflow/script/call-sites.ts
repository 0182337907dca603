/**
 * Has calls of the script API say where they are. The stack does not: a call that is the last thing
 * a function does takes the place of that function.
 */
import type { Program } from "acorn";
import { CALL_SITE } from "../engine/protocol.ts";
import type { Edit } from "./edits.ts";
import { positionAt } from "./fault.ts";
import { apiCalls, PROMISING } from "./warnings/api-names.ts";
import { readSource } from "./warnings/source.ts";

/**
 * The edits that write `f(…)` as `<site>(f,line,column)(…)`, which calls `f` all the same; none for
 * a script that is nested too deeply. Columns behind them on the same line move.
 * @param text the script that `program` was parsed from, with ranges.
 */
export async function markCallSites(text: string, program: Program): Promise<readonly Edit[]> {
  if (text.includes(CALL_SITE)) return [];
  const source = await readSource(program);
  if (source === undefined) return [];
  return apiCalls(source).flatMap(({ name, node: { callee, optional, start } }) => {
    if (!PROMISING.has(name) || optional || callee.type === "Super") return [];
    const { line, column } = positionAt(text, start);
    return [
      { offset: callee.start, removed: 0, inserted: `${CALL_SITE}(` },
      { offset: callee.end, removed: 0, inserted: `,${line},${column})` },
    ];
  });
}
