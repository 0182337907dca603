/** How reports look as text: 80 columns, nothing that a terminal would obey. */
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import { wrap } from "../../lib/wrap.ts";

const WIDTH = 80;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** A path or command on one line: one with control characters is quoted, they are written out. */
export function shown(path: string): string {
  return CONTROL.test(path) ? printable(JSON.stringify(path)) : path;
}

/** Text of others on one line of a list. */
export function said(text: string, longest?: number): string {
  return printable(oneLine(text, longest));
}

/** A sentence as a paragraph. */
export function paragraph(text: string): readonly string[] {
  return wrap(said(text, Number.MAX_SAFE_INTEGER), WIDTH);
}

/** A sentence as an item of a list. */
export function item(text: string): readonly string[] {
  return wrap(said(text, Number.MAX_SAFE_INTEGER), WIDTH - 2).map(
    (line, at) => `${at === 0 ? "- " : "  "}${line}`,
  );
}

/**
 * A path as an item of a list, with what is said of it in brackets: on its line where there is
 * room, else below it. The path stays whole.
 */
export function pathItem(path: string, notes: readonly string[] = []): readonly string[] {
  const name = `- ${shown(path)}`;
  if (notes.length === 0) return [name];
  const remark = `(${said(notes.join("; "), Number.MAX_SAFE_INTEGER)})`;
  const line = `${name} ${remark}`;
  return line.length <= WIDTH ? [line] : [name, ...indented(remark)];
}

/** A sentence as an item of a list, with a remark in brackets at its end that is not broken. */
export function remarkedItem(text: string, remark: string): readonly string[] {
  const lines = item(text);
  const last = `${lines.at(-1) ?? ""} (${remark})`;
  return last.length <= WIDTH ? [...lines.slice(0, -1), last] : [...lines, `  (${remark})`];
}

/** A sentence below an item of a list. */
export function indented(text: string): readonly string[] {
  return wrap(said(text, Number.MAX_SAFE_INTEGER), WIDTH - 2).map((line) => `  ${line}`);
}

/** Words and paths after a title, as many as fit on a line; none of them is broken. */
export function enumeration(title: string, names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = title;
  names.forEach((name, at) => {
    const next = `${name}${at < names.length - 1 ? "," : ""}`;
    if (line.length + 1 + next.length <= WIDTH) line = `${line} ${next}`;
    else {
      lines.push(line);
      line = `  ${next}`;
    }
  });
  return [...lines, line];
}

/** A heading and lines below it, after an empty line; nothing without lines. */
export function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines];
}

/** A heading and sentences below it. */
export function sentences(title: string, texts: readonly string[]): readonly string[] {
  return block(title, texts.flatMap(item));
}

/** A heading and paths or commands below it, which are never broken. */
export function lines(
  title: string,
  paths: readonly string[],
  most = Number.MAX_SAFE_INTEGER,
): readonly string[] {
  const more = paths.length - most;
  return block(title, [
    ...paths.slice(0, most).map((path) => `- ${shown(path)}`),
    ...(more > 0 ? [`- and ${more} more (--json lists all)`] : []),
  ]);
}
