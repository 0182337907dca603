/** The changes of a run as they are printed, repository after repository. */
import { changedFiles } from "../../../workflow/diff/changed-files.ts";
import type { RepoDiff } from "../../../workflow/diff/repo-diff.ts";
import type { Printer } from "../../printer.ts";
import { conflictText, headingText } from "./heading.ts";
import { LEAST_COLUMNS, sideBySideLines } from "./side-by-side.ts";
import { statText } from "./stat.ts";
import { painter, unifiedLines } from "./unified.ts";

const NOTHING = "Nothing was changed.";

/** A patch for git is byte for byte; all else is for people. */
export type DiffView = { readonly kind: "raw" } | PeopleView;

type PeopleView =
  | { readonly kind: "unified"; readonly colours: boolean }
  | { readonly kind: "side-by-side"; readonly colours: boolean; readonly columns: number }
  | {
      readonly kind: "stat";
      readonly colours: boolean;
      /** Absent where nothing is to be cut. */
      readonly columns: number | undefined;
    };

/** @param printer is told what is no part of a patch for git; a view says it itself. */
export async function* diffPieces(
  diffs: readonly RepoDiff[],
  view: DiffView,
  printer: Printer,
): AsyncGenerator<string | Uint8Array> {
  if (view.kind !== "raw") {
    yield* viewPieces(diffs, view);
    return;
  }
  let isEmpty = true;
  for (const diff of diffs) {
    if (diffs.length > 1) yield `${headingText(diff)}\n`;
    for await (const piece of diff.patch()) {
      isEmpty = false;
      yield piece;
    }
    for (const call of diff.conflicts) printer.warn(conflictText(call));
  }
  if (isEmpty) printer.notice(NOTHING);
  await printer.flush();
}

async function* viewPieces(diffs: readonly RepoDiff[], view: PeopleView): AsyncGenerator<string> {
  const paint = painter(view.colours);
  if (diffs.length === 0) yield `${NOTHING}\n`;
  for (const [index, diff] of diffs.entries()) {
    if (index > 0) yield "\n";
    yield `${paint("bold", headingText(diff))}\n`;
    let isEmpty = true;
    for await (const piece of patchPieces(diff, view)) {
      isEmpty = false;
      yield piece;
    }
    if (isEmpty) yield `${NOTHING}\n`;
    for (const call of diff.conflicts) yield `${paint("yellow", conflictText(call))}\n`;
  }
}

function patchPieces({ patch }: RepoDiff, view: PeopleView): AsyncIterable<string> {
  switch (view.kind) {
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
