/** Rows in columns, no wider than the terminal where some columns may be cut. */
import { type Format, styled } from "../colours.ts";
import { cellWidth, cutCells } from "./cells.ts";

export interface Column<Row> {
  readonly title: string;
  /** One line, without control characters. */
  cell(row: Row): string;
  readonly align?: "right";
  /** Which end is cut where the row is too wide; without it nothing is. */
  readonly cut?: "start" | "end";
  /** How the cell looks where colours are shown. */
  format?(row: Row): Format | undefined;
}

export interface TableOptions {
  /** Characters in a line; absent where nothing is to be cut. */
  readonly columns?: number | undefined;
  readonly colours: boolean;
}

const GAP = "  ";
/** No column is cut to less. */
const NARROWEST = 16;

/** A line of titles, and one for each row. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = widthsOf(columns, cells, options.columns ?? Number.POSITIVE_INFINITY);
  const paint = (text: string, format: Format | undefined) =>
    options.colours && format !== undefined && text !== "" ? styled(format, text) : text;
  const line = (texts: readonly string[], formats: readonly (Format | undefined)[]) =>
    columns
      .map((column, at) => {
        const laid = placed(texts[at] ?? "", widths[at] ?? 0, column);
        return paint(at === columns.length - 1 ? laid.trimEnd() : laid, formats[at]);
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [
    line(
      titles,
      titles.map(() => "dim"),
    ),
    ...rows.map((row, at) =>
      line(
        cells[at] ?? [],
        columns.map((column) => column.format?.(row)),
      ),
    ),
  ];
}

function widthsOf<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  most: number,
): readonly number[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => cellWidth(row[at] ?? ""))),
  );
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - most;
  for (let at = columns.length - 1; at >= 0 && excess > 0; at--) {
    const width = widths[at] ?? 0;
    if (columns[at]?.cut === undefined || width <= NARROWEST) continue;
    const kept = Math.max(NARROWEST, width - excess);
    widths[at] = kept;
    excess -= width - kept;
  }
  return widths;
}

function placed<Row>(text: string, width: number, { align, cut }: Column<Row>): string {
  const shown = cutCells(text, width, cut ?? "end");
  const room = " ".repeat(width - cellWidth(shown));
  return align === "right" ? room + shown : shown + room;
}
