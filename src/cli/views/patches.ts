import { visibleName } from "../../lib/visible-name.ts";
import type { AppliedPatches } from "../../workflow/apply/commands.ts";

const SHORT_HASH = 12;

/** Patches that were applied or reverted, one per line. */
export function patchesText(what: "apply" | "revert", patches: readonly string[]): string {
  if (patches.length === 0) return `No workflow patches to ${what}.`;
  const head = what === "apply" ? "Applied workflow patches:" : "Reverted workflow patches:";
  return [head, ...patches.map((patch) => `- ${patch}`)].join("\n");
}

/** The commits that a branch was made with. */
export function branchText({ branch = "", commits = [] }: AppliedPatches): string {
  if (commits.length === 0) return `No workflow patches to apply: ${branch} was not made.`;
  return [
    `Committed to the new branch ${branch}:`,
    ...commits.map(
      ({ root, commit }) => `- ${commit.slice(0, SHORT_HASH)} in ${visibleName(root)}`,
    ),
  ].join("\n");
}
