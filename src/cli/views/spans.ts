/** One row of a terminal, put together from pieces of text that may look different. */
import { type Format, styled } from "../colours.ts";
import { cellWidth, cutCells } from "./cells.ts";

export interface Span {
  /** Without control characters. */
  readonly text: string;
  readonly format?: Format | undefined;
}

/** The row, cut where it is wider than the terminal. */
export function spansText(spans: readonly Span[], columns: number, colours: boolean): string {
  let left = columns;
  let row = "";
  for (const { text, format } of spans) {
    if (left <= 0 || text === "") continue;
    const shown = cutCells(text, left, "end");
    left -= cellWidth(shown);
    row += colours && format !== undefined ? styled(format, shown) : shown;
    if (shown !== text) break;
  }
  return row;
}

/** Text that takes exactly so many columns, cut or filled with blanks. */
export function fitted(text: string, columns: number, align: "left" | "right" = "left"): string {
  const shown = cutCells(text, columns, "end");
  const blanks = " ".repeat(Math.max(0, columns - cellWidth(shown)));
  return align === "left" ? shown + blanks : blanks + shown;
}
