import type { Git } from "../../platform/git/runner.ts";

/**
 * The contents of a commit's files that a partial clone does not have. Asking for one of them would
 * fetch it, or fail.
 */
export async function missingBlobs(
  git: Git,
  root: string,
  commit: string,
): Promise<ReadonlySet<string>> {
  const args = ["rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk"];
  const { stdout } = await git.run([...args, commit], { cwd: root });
  return new Set(stdout.split("\n").flatMap((line) => (line[0] === "?" ? [line.slice(1)] : [])));
}

/**
 * Of some contents, those that are no larger than a limit.
 * @param blobs full hashes, of contents that are here.
 */
export async function blobsUpTo(
  git: Git,
  root: string,
  blobs: readonly string[],
  limitBytes: number,
): Promise<readonly string[]> {
  if (blobs.length === 0) return [];
  const { stdout } = await git.run(["cat-file", "--batch-check", "--buffer"], {
    cwd: root,
    input: `${blobs.join("\n")}\n`,
  });
  return stdout.split("\n").flatMap((line) => {
    const [blob = "", type, size] = line.split(" ");
    return type === "blob" && Number(size) <= limitBytes ? [blob] : [];
  });
}
