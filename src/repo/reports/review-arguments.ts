/** Which of the words after `review` is the base, and which the repository. */
import { isAbsolute } from "node:path";

export interface BaseAndRepo {
  readonly base?: string;
  readonly repo?: string;
  /** What to tell the user where a word could be both. */
  readonly notice?: string;
}

export interface ArgumentProbes {
  /** Whether a word names a folder, from where the user stands. */
  isFolder(word: string): Promise<boolean>;
  /** Whether a word names a commit of the repository where the user stands. */
  isRevision(word: string): Promise<boolean>;
}

/**
 * A folder as the first word is the repository, and the second the base; otherwise the other way
 * round. A word that names both a folder and a revision is the revision: write `./name` for the folder.
 */
export async function baseAndRepo(
  words: readonly string[],
  probes: ArgumentProbes,
): Promise<BaseAndRepo> {
  const [first = "", second] = words.map((word) => word.trim());
  if (first === "") return second === undefined || second === "" ? {} : { repo: second };
  const repoFirst = { repo: first, ...(second === undefined ? {} : { base: second }) };
  if (isClearlyFolder(first)) return repoFirst;
  const baseFirst = { base: first, ...(second === undefined ? {} : { repo: second }) };
  if (first.startsWith("-") || !(await probes.isFolder(first))) return baseFirst;
  if (!(await probes.isRevision(first))) return repoFirst;
  const notice = `${first} is a revision and a folder; it is taken for the revision, the folder is ./${first}`;
  return second === undefined ? { ...baseFirst, notice } : baseFirst;
}

function isClearlyFolder(word: string): boolean {
  return word === "." || word === ".." || /^\.{1,2}\//.test(word) || isAbsolute(word);
}
