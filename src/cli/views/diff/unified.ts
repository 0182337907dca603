/** A patch for a terminal, in colours where they are wanted. */
import type { ByteLine } from "../../../lib/byte-lines.ts";
import { type PatchPart, patchParts } from "../../../lib/patch-parts.ts";
import { type Format, styled } from "../../colours.ts";
import { withoutTabs, wrapCells } from "../cells.ts";
import { shownLine } from "./shown-line.ts";

/** Of a line, so many bytes are shown; no name of a file is longer. */
export const MOST_OF_LINE = 64 * 1024;
export const BINARY_TEXT = "Binary content, not shown here";

const FORMATS: Partial<Record<PatchPart["kind"], Format>> = {
  added: "green",
  removed: "red",
  remark: "dim",
};

export type Paint = (format: Format | undefined, text: string) => string;

export function painter(colours: boolean): Paint {
  return (format, text) =>
    colours && format !== undefined && text !== "" ? styled(format, text) : text;
}

/** Lines with their ends. */
export async function* unifiedLines(
  patch: AsyncIterable<Uint8Array>,
  colours: boolean,
): AsyncGenerator<string> {
  const paint = painter(colours);
  for await (const parts of patchParts(patch, MOST_OF_LINE)) {
    for (const part of parts) yield* partLines(part, paint);
  }
}

function* partLines(part: PatchPart, paint: Paint): Generator<string> {
  if (part.kind === "binary") return;
  if (part.kind === "file") {
    for (const line of part.header) yield `${headerLine(line, paint)}\n`;
  } else if (part.kind === "hunk") yield `${hunkLine(part.line, paint)}\n`;
  else yield `${contentLine(part, paint)}\n`;
}

function headerLine(line: ByteLine, paint: Paint): string {
  const { text } = shownLine(line);
  return text === "GIT binary patch" ? paint("dim", BINARY_TEXT) : paint("bold", text);
}

/**
 * What stands behind the numbers is a line of the file.
 * @param columns the line is cut where it is wider.
 */
export function hunkLine(line: ByteLine, paint: Paint, columns?: number): string {
  const text = withoutTabs(shownLine(line).text);
  const [row = ""] = columns === undefined ? [text] : wrapCells(text, columns);
  const [, numbers = row, context = ""] = /^(@@ .*? @@)(.*)$/.exec(row) ?? [];
  return paint("cyan", numbers) + context;
}

function contentLine(
  { kind, line }: PatchPart & { readonly line: ByteLine },
  paint: Paint,
): string {
  const { text, hasReturn, omitted } = shownLine(line);
  // Where nothing changed, it would only be in the way.
  const end = hasReturn && kind !== "context" ? paint("dim", "\\r") : "";
  return paint(FORMATS[kind], text) + end + cutText(omitted, paint);
}

function cutText(bytes: number, paint: Paint): string {
  return bytes === 0 ? "" : paint("dim", ` … ${bytes.toLocaleString("en")} more bytes`);
}
