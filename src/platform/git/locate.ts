import type { Git } from "./runner.ts";

/** What git says of a folder; paths are absolute, with whatever links lead there. */
export interface Location {
  /** The git directory that all working trees share; absent outside of a repository. */
  readonly commonDir?: string;
  /** Top of the working tree; absent outside of one. */
  readonly top?: string;
  /** Why something is absent, in git's words. */
  readonly reason: string;
}

/** Where a folder is. @throws PalliumError `git_missing`, `directory_missing`. */
export async function locate(git: Git, cwd: string): Promise<Location> {
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"];
  const { exitCode, stdout, stderr } = await git.run(args, { cwd, okCodes: [0, 128] });
  const [commonDir = "", top = ""] = stdout.split("\n");
  return {
    reason: stderr.trim(),
    ...(commonDir === "" ? {} : { commonDir }),
    ...(exitCode === 0 && top !== "" ? { top } : {}),
  };
}
