import { PalliumError } from "../../../lib/errors.ts";
import { type Git, splitNul } from "../../../platform/git/runner.ts";
import { temporaryFolder } from "../../../platform/temporary-folder.ts";
import { MOST_BYTES, type PackFiles } from "./pack-files.ts";
import { PROTOCOLS, withoutCredentials } from "./source.ts";

const CLONE_MS = 120_000;
/** `100644 blob <hash> <size>` behind a tab the path. */
const ENTRY = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.+)$/s;

export interface FetchedPacks extends AsyncDisposable {
  readonly files: PackFiles;
  /** Full hash of what was fetched. */
  readonly commit: string;
}

/**
 * Fetches the latest commit of a repository, and nothing else of it: no working tree is made, so that
 * neither its hooks, links, filters nor submodules have a say.
 * @param ref a branch or tag; the default branch without.
 * @throws PalliumError `pack_fetch_failed`, `git_missing`
 */
export async function fetchPacks(
  git: Git,
  url: string,
  ref: string | undefined,
): Promise<FetchedPacks> {
  const folder = await temporaryFolder("pallium-packs-");
  try {
    const branch = ref === undefined ? [] : [`--branch=${ref}`];
    const how = ["--bare", "--depth=1", "--single-branch", "--no-tags", "--template=", "--quiet"];
    await git.run(["clone", ...how, ...branch, "--", url, "packs.git"], {
      cwd: folder.path,
      timeoutMs: CLONE_MS,
      variables: { GIT_ALLOW_PROTOCOL: PROTOCOLS.join(":") },
    });
    const cwd = `${folder.path}/packs.git`;
    const commit = await git.headCommit(cwd);
    if (commit === undefined) throw fetchFailure(url, "the repository has no commit");
    return {
      commit,
      files: treeFiles(git, cwd, commit),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    if (error instanceof PalliumError && error.code === "git_failed") {
      throw fetchFailure(url, error.message, error);
    }
    throw error;
  }
}

function treeFiles(git: Git, cwd: string, commit: string): PackFiles {
  const entries = async (path: string) => {
    const args = ["ls-tree", "-z", "-l", "--full-tree", commit, "--", path].filter(Boolean);
    const { stdout } = await git.run(args, { cwd });
    return splitNul(stdout).flatMap((line) => {
      const [, hash = "", size, name = ""] = ENTRY.exec(line) ?? [];
      return size === undefined ? [] : [{ hash, size: Number(size), name }];
    });
  };
  return {
    list: async (folder) => {
      const found = await entries(folder === "" ? "" : `${folder}/`);
      return found.map(({ name }) => name.slice(folder === "" ? 0 : folder.length + 1));
    },
    read: async (path) => {
      const file = (await entries(path)).find(({ name }) => name === path);
      if (file === undefined || file.size > MOST_BYTES) return undefined;
      return (await git.run(["cat-file", "blob", file.hash], { cwd })).stdout;
    },
  };
}

function fetchFailure(url: string, reason: string, cause?: unknown): PalliumError {
  const lines = reason.replace(/^git clone: /, "").split("\n");
  const fatal = lines.filter((line) => line.startsWith("fatal: "));
  const said = withoutCredentials((fatal[0] ?? lines[0] ?? "").replace(/^fatal: /, ""));
  return new PalliumError("pack_fetch_failed", `cannot fetch ${withoutCredentials(url)}: ${said}`, {
    cause,
    hints: [
      "check the address, and the branch or tag of --ref",
      "a repository that asks who you are is read over ssh: git@host:path",
    ],
  });
}
