/** Two runs compared, as text: at a glance first, then what differs, text by text. */
import { visibleName } from "../../../lib/visible-name.ts";
import type { ComparedCall } from "../../../workflow/comparison/compared-calls.ts";
import type { RunComparison } from "../../../workflow/comparison/run-comparison.ts";
import type { TableOptions } from "../table.ts";
import { callLines, callName } from "./calls.ts";
import { glanceLines } from "./glance.ts";
import { changeLine, differenceLines, type Shown } from "./texts.ts";

export interface ComparisonView extends TableOptions {
  /** Whether texts that differ are shown line by line. */
  readonly texts: boolean;
}

export async function* comparisonPieces(
  comparison: RunComparison,
  view: ComparisonView,
): AsyncGenerator<string> {
  yield ended([...glanceLines(comparison, view), ...callLines(comparison, view)]);
  if (!view.texts) return;
  const { scripts, args, result, calls } = comparison;
  const texts: readonly Shown[] = [
    ...scripts.map(({ name, difference }) => ({
      title: `Script ${visibleName(name)}`,
      difference,
    })),
    { title: "Arguments", difference: args.difference },
    { title: "Result", difference: result.difference },
  ];
  for (const text of texts) yield ended(differenceLines(text, view));
  for (const call of calls) yield ended(detailLines(call, view));
}

function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** What differs between two calls, value by value. */
function detailLines(call: ComparedCall, view: ComparisonView): readonly string[] {
  const { before, after, options = {}, prompt, output } = call;
  const name = callName(call);
  if (before === undefined || after === undefined) return [];
  const values = Object.entries(options).map(([option, { before: old, after: now }]) =>
    changeLine(option, old, now),
  );
  const outcome = (side: typeof before) =>
    side.outcome === undefined ? side.status : `${side.status} (${side.outcome})`;
  if (outcome(before) !== outcome(after)) {
    values.push(changeLine("status", outcome(before), outcome(after)));
  }
  if (before.error !== after.error) {
    values.push(changeLine("error", before.error ?? "", after.error ?? ""));
  }
  return [
    ...(values.length === 0 ? [] : ["", `${name}:`, ...values]),
    ...differenceLines({ title: `Prompt of ${name}`, difference: prompt }, view),
    ...differenceLines({ title: `Answer of ${name}`, difference: output }, view),
  ];
}
