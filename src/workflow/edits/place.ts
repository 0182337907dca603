/** The repository that a call works on. */
import { PalliumError } from "../../lib/errors.ts";
import { oneLine } from "../../lib/one-line.ts";
import { realPath } from "../../platform/files.ts";
import { locate } from "../../platform/git/locate.ts";
import type { Git } from "../../platform/git/runner.ts";

const OUTSIDE = /not a git repository/;

export interface Place {
  /** Absolute top of the user's checkout. */
  readonly root: string;
  /** Git directory that all working trees of the repository share. */
  readonly commonDir: string;
  /** Where below the top the call works; "" at the top. */
  readonly offset: string;
}

/** @returns `undefined` outside of a working tree. */
export async function findPlace(git: Git, cwd: string): Promise<Place | undefined> {
  const { commonDir, top } = await locate(git, cwd);
  if (commonDir === undefined || top === undefined) return undefined;
  const [root, folder] = [await realPath(top), await realPath(cwd)];
  return { root, commonDir: await realPath(commonDir), offset: folder.slice(root.length + 1) };
}

/** The error of a folder without a place. Git may refuse one that is in a repository; then it says why. */
export async function noRepository(git: Git, cwd: string): Promise<PalliumError> {
  const { reason } = await locate(git, cwd);
  const why = OUTSIDE.test(reason) ? "" : `; git says: ${oneLine(reason)}`;
  return new PalliumError(
    "not_a_repository",
    `editing or network access requires the run to execute inside a git repository: ${cwd}${why}`,
    { hints: ["start the run in a git working tree, or make one with: git init"] },
  );
}
