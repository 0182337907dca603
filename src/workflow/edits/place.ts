/** The repository that a call works on. */
import { realPath } from "../../platform/files.ts";
import { locate } from "../../platform/git/locate.ts";
import type { Git } from "../../platform/git/runner.ts";

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
