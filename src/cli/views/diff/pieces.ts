/** The changes of a run as they are printed, repository after repository. */
import { changedFiles } from "../../../workflow/diff/changed-files.ts";
import type { RepoDiff } from "../../../workflow/diff/repo-diff.ts";
import type { Printer } from "../../printer.ts";
import { conflictText, headingText } from "./heading.ts";
import { LEAST_COLUMNS, sideBySideLines } from "./side-by-side.ts";
import { statText } from "./stat.ts";
import { painter, unifiedLines } from "./unified.ts";

export type DiffView =
  /** Byte for byte, for git. */
  | { readonly kind: "raw" }
  | { readonly kind: "unified"; readonly colours: boolean }
  | { readonly kind: "side-by-side"; readonly colours: boolean; readonly columns: number }
  | {
      readonly kind: "stat";
      readonly colours: boolean;
      /** Absent where nothing is to be cut. */
      readonly columns: number | undefined;
    };

/** @param printer is told what is no part of the changes. */
export async function* diffPieces(
  diffs: readonly RepoDiff[],
  view: DiffView,
  printer: Printer,
): AsyncGenerator<string | Uint8Array> {
  const paint = painter(view.kind !== "raw" && view.colours);
  const hasHeadings = view.kind !== "raw" || diffs.length > 1;
  let isEmpty = true;
  for (const diff of diffs) {
    if (hasHeadings) yield `${paint("bold", headingText(diff))}\n`;
    for await (const piece of patchPieces(diff, view)) {
      isEmpty = false;
      yield piece;
    }
    for (const call of diff.conflicts) printer.warn(conflictText(call));
  }
  if (isEmpty) printer.notice("Nothing was changed.");
  await printer.flush();
}

function patchPieces({ patch }: RepoDiff, view: DiffView): AsyncIterable<string | Uint8Array> {
  switch (view.kind) {
    case "raw":
      return patch();
    case "stat":
      return statPieces(patch(), view);
    case "side-by-side":
      return view.columns < LEAST_COLUMNS
        ? unifiedLines(patch(), view.colours)
        : sideBySideLines(patch(), view);
    case "unified":
      return unifiedLines(patch(), view.colours);
  }
}

async function* statPieces(
  patch: AsyncIterable<Uint8Array>,
  options: Parameters<typeof statText>[1],
): AsyncGenerator<string> {
  const files = await changedFiles(patch, false);
  if (files.length > 0) yield `${statText(files, options)}\n`;
}
