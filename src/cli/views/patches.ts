/** Patches that were applied or reverted, one per line. */
export function patchesText(what: "apply" | "revert", patches: readonly string[]): string {
  if (patches.length === 0) return `No workflow patches to ${what}.`;
  const head = what === "apply" ? "Applied workflow patches:" : "Reverted workflow patches:";
  return [head, ...patches.map((patch) => `- ${patch}`)].join("\n");
}
