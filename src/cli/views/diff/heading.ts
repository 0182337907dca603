/** What is said of a repository in front of its patch, and of edits that are no part of it. */
import { counted } from "../../../lib/counted.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import type {
  ConflictedCall,
  DiffedCall,
  DiffState,
  RepoDiff,
} from "../../../workflow/diff/repo-diff.ts";

const STATES: Readonly<Record<DiffState, string>> = {
  applied: "applied",
  partly_applied: "only those of an earlier execution are applied",
  staged: "not applied",
  reverted: "reverted",
  conflict: "in conflict with others",
};
const MOST_NAMES = 8;

/** Git takes it for no part of a patch. */
export function headingText({ root, state, calls }: Omit<RepoDiff, "patch">): string {
  const names = calls.slice(0, MOST_NAMES).map(nameOf);
  const more = calls.length - names.length;
  const whose = [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const edits = calls.length === 0 ? "no edits" : `${counted(calls.length, "edit")} (${whose})`;
  return `# ${visibleName(root)}: ${edits}, ${STATES[state]}`;
}

export function conflictText(call: ConflictedCall): string {
  const paths = call.paths.map(visibleName).join(", ");
  return `${nameOf(call)} does not go together with the others, and is no part of this: ${paths}; its own edits are in ${visibleName(call.patch_path)}, those of the others in ${visibleName(call.others_path)}`;
}

function nameOf({ label, id }: DiffedCall): string {
  return visibleName(oneLine(label ?? id));
}
