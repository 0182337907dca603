/** Secrets in the lines that a change adds. */

import { byText } from "../../lib/by-text.ts";
import { counted } from "../../lib/counted.ts";
import type { SecretFinding, SkippedFile } from "../../secrets/finding.ts";
import type { ReportContext } from "./context.ts";
import type { TouchedFile } from "./review-diff.ts";
import { PATCH_LIMIT, type PatchText } from "./review-patch.ts";
import type { FoundSecret } from "./shapes.ts";

export interface SecretsFound {
  readonly secrets: readonly FoundSecret[];
  readonly notes: readonly string[];
}

const MOST_NEW_FILES = 100;

/**
 * Looks through one patch, from where the change begins to the working tree (or the index), and
 * through the files that git does not track yet.
 * @param patch as `readPatch` reads it; without it all files count as new.
 */
export async function reviewSecrets(
  context: ReportContext,
  patch: Promise<PatchText | undefined> | undefined,
  touched: readonly TouchedFile[],
): Promise<SecretsFound> {
  const isInPatch = ({ source }: TouchedFile) => patch !== undefined && source !== "untracked";
  const inPatch =
    patch !== undefined && touched.some(isInPatch)
      ? await inPatchOf(context, await patch)
      : NOTHING_FOUND;
  const others = touched.filter((file) => !isInPatch(file) && file.status !== "D");
  const inFiles = await inNewFiles(context, others);
  const secrets = [...inPatch.secrets, ...inFiles.secrets].sort(
    (a, b) => byText(a.file, b.file) || a.line - b.line || byText(a.rule, b.rule),
  );
  return { secrets, notes: [...inPatch.notes, ...inFiles.notes] };
}

const NOTHING_FOUND: SecretsFound = { secrets: [], notes: [] };

async function inPatchOf(
  context: ReportContext,
  patch: PatchText | undefined,
): Promise<SecretsFound> {
  if (patch === undefined) {
    return { secrets: [], notes: ["The patch could not be read, so nobody looked for secrets."] };
  }
  const { findings, skipped } = await context.scanPatch(patch.text);
  const cut = patch.isCut
    ? [`Only the first ${PATCH_LIMIT / 1024 / 1024} MB of the patch were searched for secrets.`]
    : [];
  return { secrets: findings.map(found), notes: [...cut, ...skippedNotes(skipped)] };
}

async function inNewFiles(
  context: ReportContext,
  files: readonly TouchedFile[],
): Promise<SecretsFound> {
  const secrets: FoundSecret[] = [];
  let left = Math.max(0, files.length - MOST_NEW_FILES);
  for (const { path } of files.slice(0, MOST_NEW_FILES)) {
    const scan = await context.scanFile(path);
    if (scan === undefined) left += 1;
    else secrets.push(...scan.findings.map(found));
  }
  const notes =
    left === 0
      ? []
      : [`${counted(left, "new file was", "new files were")} not searched for secrets.`];
  return { secrets, notes };
}

function found({ rule, file, line }: SecretFinding): FoundSecret {
  return { rule, file, line };
}

function skippedNotes(skipped: readonly SkippedFile[]): readonly string[] {
  const large = skipped.filter(({ reason }) => reason === "too_large").length;
  if (large === 0) return [];
  return [`${counted(large, "file was", "files were")} too large to be searched for secrets.`];
}
