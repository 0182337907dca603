import { stripVTControlCharacters } from "node:util";
import { printable } from "./printable.ts";

/** What a terminal would show of a line in the end: without colours, and what overwrote the rest of it. */
export function shownText(line: string): string {
  const text = stripVTControlCharacters(line).replace(/\r+$/, "");
  return printable(text.slice(text.lastIndexOf("\r") + 1));
}
