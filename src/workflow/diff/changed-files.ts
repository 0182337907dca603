/** The files of a patch, one by one: how much of each changed, and the text of it. */
import { type PatchedFile, type PatchPart, patchParts } from "../../lib/patch-parts.ts";
import type { RepoDiff } from "./repo-diff.ts";

export const OMISSIONS = ["too_large", "not_utf8"] as const;

export interface ChangedFile extends PatchedFile {
  /** Lines; none of binary files. */
  readonly additions: number;
  readonly deletions: number;
  /** The part of the patch that is about this file: with all of them in a row git has the patch. */
  readonly patch?: string;
  /** Why that is missing, where it was asked for. */
  readonly patch_omitted?: (typeof OMISSIONS)[number];
}

/** A `RepoDiff` as data. */
export interface RepoChanges extends Omit<RepoDiff, "patch"> {
  /** In the order of the patch. */
  readonly files: readonly ChangedFile[];
}

/** Bytes of one file's text, and of all of them. */
const MOST_OF_FILE = 1024 * 1024;
const MOST_OF_ALL = 32 * 1024 * 1024;
const NEWLINE = Buffer.from("\n");

/** @param withTexts whether files come with their part of the patch. */
export async function repoChanges(
  { patch, ...diff }: RepoDiff,
  withTexts: boolean,
): Promise<RepoChanges> {
  return { ...diff, files: await changedFiles(patch(), withTexts) };
}

/** The files of a patch, in its order. */
export async function changedFiles(
  patch: AsyncIterable<Uint8Array>,
  withTexts: boolean,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  let room = withTexts ? MOST_OF_ALL : 0;
  let current: ReturnType<typeof startFile> | undefined;
  const finish = () => {
    const found = current?.finish();
    if (found === undefined) return;
    const { text, ...file } = found;
    const size = text?.length ?? Number.POSITIVE_INFINITY;
    files.push({ ...file, ...(withTexts ? patchField(size <= room ? text : undefined) : {}) });
    if (size <= room) room -= size;
  };
  for await (const parts of patchParts(patch, MOST_OF_FILE)) {
    for (const part of parts) {
      if (part.kind === "file") {
        finish();
        current = startFile(part.file, withTexts);
      }
      current?.take(part);
    }
  }
  finish();
  return files;
}

function startFile(file: PatchedFile, withText: boolean) {
  let additions = 0;
  let deletions = 0;
  let size = 0;
  let lines: Buffer[] = [];
  return {
    take(part: PatchPart): void {
      if (part.kind === "added") additions += 1;
      if (part.kind === "removed") deletions += 1;
      if (!withText) return;
      for (const { bytes, omitted } of part.kind === "file" ? part.header : [part.line]) {
        size += bytes.length + omitted + 1;
        lines.push(bytes);
      }
      if (size > MOST_OF_FILE) lines = [];
    },
    finish() {
      const isWhole = withText && size <= MOST_OF_FILE;
      const text = isWhole ? Buffer.concat(lines.flatMap((line) => [line, NEWLINE])) : undefined;
      return { ...file, additions, deletions, text };
    },
  };
}

/** @param bytes `undefined` of what is too large. */
function patchField(bytes: Buffer | undefined): Pick<ChangedFile, "patch" | "patch_omitted"> {
  if (bytes === undefined) return { patch_omitted: "too_large" };
  const patch = bytes.toString("utf8");
  return Buffer.from(patch).equals(bytes) ? { patch } : { patch_omitted: "not_utf8" };
}
