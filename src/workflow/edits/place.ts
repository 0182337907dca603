/** The repository that a call works on. */
import { realPath } from "../../platform/files.ts";
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
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"];
  const { exitCode, stdout } = await git.run(args, { cwd, okCodes: [0, 128] });
  const [common = "", top = ""] = stdout.split("\n");
  if (exitCode !== 0 || top === "") return undefined;
  const [root, folder] = [await realPath(top), await realPath(cwd)];
  return { root, commonDir: await realPath(common), offset: folder.slice(root.length + 1) };
}
