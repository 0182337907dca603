/** Secrets in the lines that a change adds. */

import { byText } from "../../lib/by-text.ts";
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import type { SecretFinding, SkippedFile } from "../../secrets/finding.ts";
import type { ReportContext } from "./context.ts";
import type { TouchedFile } from "./review-diff.ts";
import type { FoundSecret } from "./shapes.ts";

export interface SecretsFound {
  readonly secrets: readonly FoundSecret[];
  readonly notes: readonly string[];
}

/** In bytes: longer patches would hold up the review. */
const PATCH_LIMIT = 4 * 1024 * 1024;
/** A key that takes the place of another is told by its first line, which is not of the change. */
const CONTEXT = "-U3";
const MOST_NEW_FILES = 100;

/**
 * Looks through one patch, from where the change begins to the working tree (or the index), and
 * through the files that git does not track yet.
 * @param from hash of a commit or tree; without it all files count as new.
 */
export async function reviewSecrets(
  context: ReportContext,
  from: string | undefined,
  touched: readonly TouchedFile[],
  isStaged: boolean,
): Promise<SecretsFound> {
  const isInPatch = ({ source }: TouchedFile) => from !== undefined && source !== "untracked";
  const inPatch =
    from !== undefined && touched.some(isInPatch)
      ? await inPatchOf(context, from, isStaged)
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
  from: string,
  isStaged: boolean,
): Promise<SecretsFound> {
  const patch = await readPatch(context, from, isStaged);
  if (patch === undefined) {
    return { secrets: [], notes: ["The patch could not be read, so nobody looked for secrets."] };
  }
  const { findings, skipped } = await context.scanPatch(patch.text);
  const cut = patch.isCut
    ? [`Only the first ${PATCH_LIMIT / 1024 / 1024} MB of the patch were searched for secrets.`]
    : [];
  return { secrets: findings.map(found), notes: [...cut, ...skippedNotes(skipped)] };
}

interface PatchText {
  readonly text: string;
  readonly isCut: boolean;
}

/** `undefined` where git has not all of the contents, as in a partial clone. */
async function readPatch(
  { git, repository }: ReportContext,
  from: string,
  isStaged: boolean,
): Promise<PatchText | undefined> {
  const args = ["diff", CONTEXT, "-M", ...(isStaged ? ["--cached"] : []), from, "--"];
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of git.stream(args, { cwd: repository.root })) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > PATCH_LIMIT) break;
    }
  } catch (error) {
    if (error instanceof PalliumError && error.code === "git_failed") return undefined;
    throw error;
  }
  const isCut = length > PATCH_LIMIT;
  return { text: Buffer.concat(chunks).subarray(0, PATCH_LIMIT).toString("utf8"), isCut };
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
