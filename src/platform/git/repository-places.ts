import { basename, dirname, join } from "node:path";
import { listDirectories, readTextFile, realPath } from "../files.ts";
import { commonDirAround } from "./common-dir.ts";
import { workingTreeTop } from "./working-tree-top.ts";

/** Where a repository is on this machine; paths are absolute. */
export interface RepositoryPlaces {
  /** Top of the working tree around the folder that was asked about, as it was written. */
  readonly top: string;
  /** The git directory that its working trees share, without links. */
  readonly commonDir: string;
  /** Tops of its working trees, `top` first; some may be gone. */
  readonly workingTrees: readonly string[];
  /** Address of its remote `origin`; empty where it has none. */
  readonly originUrl: string;
}

/**
 * Looks at the files of the repository around a folder, which need not exist any more itself; asks
 * git nothing. `undefined` outside of a repository.
 */
export async function repositoryPlaces(folder: string): Promise<RepositoryPlaces | undefined> {
  const found = await commonDirAround(folder);
  if (found === undefined) return undefined;
  const [asWritten, commonDir] = await Promise.all([workingTreeTop(folder), realPath(found)]);
  const [real, linked, config] = await Promise.all([
    realPath(asWritten),
    linkedTrees(commonDir),
    readTextFile(join(commonDir, "config")),
  ]);
  const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
  return {
    top: asWritten,
    commonDir,
    workingTrees: [...new Set([asWritten, real, ...main, ...linked])],
    originUrl: originUrl(config ?? ""),
  };
}

async function linkedTrees(commonDir: string): Promise<readonly string[]> {
  const folder = join(commonDir, "worktrees");
  const trees = (await listDirectories(folder)).map(async (name) => {
    const file = await readTextFile(join(folder, name, "gitdir"));
    return file === undefined ? [] : [dirname(file.trim())];
  });
  return (await Promise.all(trees)).flat();
}

const SECTION = /^\s*\[\s*([^\]]*?)\s*\]/;
const URL_SETTING = /^\s*url\s*=\s*"?([^"\n]*?)"?\s*$/i;

/** The first address of the remote `origin`. */
function originUrl(config: string): string {
  let isOrigin = false;
  for (const line of config.split("\n")) {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) isOrigin = /^remote\s+"origin"$/i.test(section);
    const url = isOrigin ? URL_SETTING.exec(line)?.[1] : undefined;
    if (url !== undefined) return url;
  }
  return "";
}
