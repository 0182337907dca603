import { PalliumError } from "../../lib/errors.ts";
import type { Git } from "../../platform/git/runner.ts";

/** In bytes: longer patches would hold up the review. */
export const PATCH_LIMIT = 4 * 1024 * 1024;
/** A key that takes the place of another is told by its first line, which is not of the change. */
const CONTEXT = "-U3";

export interface PatchText {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * The patch from a commit or tree to the working tree, or to the index; `undefined` where git has not
 * all of the contents, as in a partial clone.
 */
export async function readPatch(
  git: Git,
  cwd: string,
  from: string,
  isStaged: boolean,
): Promise<PatchText | undefined> {
  const args = ["diff", CONTEXT, "-M", ...(isStaged ? ["--cached"] : []), from, "--"];
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of git.stream(args, { cwd })) {
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
