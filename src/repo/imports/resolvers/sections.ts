/** Reads of TOML and INI files what resolvers need, lists over several lines included. */
import { type Section, sectionsOf } from "../../verification/sections.ts";

const COMMENT_LINE = /^\s*[#;]/;
const ENTRY = /^[\w."-]+\s*=\s*(.*)$/;

/** Whether a value begins a list that does not end on its line. */
function isOpen(value: string): boolean {
  return value.split("[").length > value.split("]").length;
}

/** The text with lists and indented continuations on the line that begins them. */
function joined(text: string): string {
  const lines: string[] = [];
  let open = false;
  let entry = false;
  for (const line of text.split(/\r?\n/)) {
    if (COMMENT_LINE.test(line) || line.trim() === "") continue;
    const value = ENTRY.exec(line)?.[1];
    if (open || (entry && /^\s/.test(line) && value === undefined)) {
      lines.push(`${lines.pop() ?? ""} ${line.trim()}`);
      open = open && isOpen(lines.at(-1) ?? "");
      continue;
    }
    entry = value !== undefined;
    open = value !== undefined && isOpen(value);
    lines.push(line);
  }
  return lines.join("\n");
}

/** As `sectionsOf`, with the values of several lines whole. */
export function readSections(text: string | undefined): readonly Section[] {
  return sectionsOf(joined(text ?? ""));
}

/** The strings of a value: those in quotes, or else its words. */
function stringsIn(value: string | undefined): string[] {
  if (value === undefined) return [];
  if (!/["']/.test(value)) return value.split(/[\s,]+/).filter((word) => word !== "");
  return [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2] ?? "");
}

/** The strings of a key in every section of the name. */
export function stringsAt(sections: readonly Section[], name: string, key: string): string[] {
  return sections
    .filter((section) => section.name === name)
    .flatMap((section) => stringsIn(section.values.get(key)));
}
