/** Text in columns of a terminal. */
import { textWidth } from "../../platform/text-width.ts";

/** Takes as many columns as it has characters. */
const PLAIN = /^[\u0020-\u007e]*$/;
const TAB_STOP = 4;

export function cellWidth(text: string): number {
  return PLAIN.test(text) ? text.length : textWidth(text);
}

/** Rows that are `width` columns wide at most; characters stay whole, and so does what is joined to one. */
export function wrapCells(text: string, width: number): readonly string[] {
  if (cellWidth(text) <= width) return [text];
  const rows: string[] = [];
  if (PLAIN.test(text)) {
    for (let at = 0; at < text.length; at += width) rows.push(text.slice(at, at + width));
    return rows;
  }
  let row = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const columns = textWidth(segment);
    if (used + columns > width && row !== "") {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += segment;
    used += columns;
  }
  return [...rows, row];
}

/** No more than `width` columns, with `…` where something was cut off. */
export function cutCells(text: string, width: number, end: "start" | "end"): string {
  if (cellWidth(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const isStart = end === "start";
  let used = 1;
  let kept = "";
  for (const character of isStart ? characters.reverse() : characters) {
    used += cellWidth(character);
    if (used > width) break;
    kept = isStart ? character + kept : kept + character;
  }
  return isStart ? `…${kept}` : `${kept}…`;
}

/** Tabs as blanks, up to the next column that they end at. */
export function withoutTabs(text: string): string {
  const [first = "", ...others] = text.split("\t");
  let line = first;
  for (const part of others) {
    const blanks = TAB_STOP - (cellWidth(line) % TAB_STOP);
    line += " ".repeat(blanks) + part;
  }
  return line;
}
