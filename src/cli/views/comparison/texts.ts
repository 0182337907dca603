/** Texts of two runs that differ, line by line, as a terminal may show them. */
import { oneLine } from "../../../lib/one-line.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import type { TextDifference } from "../../../workflow/comparison/text-difference.ts";
import type { Format } from "../../colours.ts";
import { cutCells, withoutTabs } from "../cells.ts";
import { painter } from "../diff/unified.ts";
import type { TableOptions } from "../table.ts";

export interface Shown {
  readonly title: string;
  readonly difference?: TextDifference | undefined;
}

/** Of one text; all are in the JSON. */
const MOST_LINES = 60;
/** Columns of a line where nobody says how wide the terminal is. */
const WIDEST = 400;

const FORMATS: Readonly<Record<string, Format>> = { "+": "green", "-": "red", "@": "cyan" };

export function differenceLines(
  { title, difference }: Shown,
  { columns = WIDEST, colours }: TableOptions,
): readonly string[] {
  if (difference === undefined) return [];
  const paint = painter(colours);
  const lines = (difference.diff ?? "").split("\n").slice(0, -1);
  const more = lines.length - MOST_LINES;
  const head = ["", paint("bold", title), paint("dim", visibleName(difference.where))];
  if (difference.diff_omitted !== undefined) return [...head, "too large to be shown line by line"];
  return [
    ...head,
    ...lines
      .slice(0, MOST_LINES)
      .map((line) => paint(FORMATS[line.charAt(0)], cutCells(visible(line), columns, "end"))),
    ...(more > 0 ? [paint("dim", `… ${more} more lines (--json has them)`)] : []),
  ];
}

/** A value that is another now. */
export function changeLine(name: string, before: string, after: string): string {
  const value = (text: string) => (text === "" ? "none" : visibleName(oneLine(text)));
  return `  ${name}: ${value(before)} → ${value(after)}`;
}

function visible(line: string): string {
  return withoutTabs(line.split("\t").map(visibleName).join("\t"));
}
