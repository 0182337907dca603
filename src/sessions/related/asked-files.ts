/** Which files somebody means who names them from where they stand, or from the top of the repository. */
import { isAbsolute, join, resolve } from "node:path";
import { exists, realPathOfParent } from "../../platform/files.ts";
import { type RepositoryTrees, repositoryAround } from "./places.ts";

/**
 * Absolute paths within the repository; what lies outside is left out. A name that is of no file any more
 * can mean either: it stands for both.
 */
export async function askedFiles(
  typed: readonly string[],
  cwd: string,
  { trees }: RepositoryTrees,
): Promise<readonly string[]> {
  const [top = cwd] = trees;
  const files = typed
    .filter((file) => file.trim() !== "")
    .map(async (file) => {
      const asWritten = [resolve(cwd, file), resolve(top, file)];
      const real = await Promise.all(asWritten.map(realPathOfParent));
      const inside = [...new Set([...asWritten, ...real])].filter((path) =>
        trees.some((tree) => path.startsWith(join(tree, "/"))),
      );
      const there = await firstThere(inside);
      return there === undefined ? inside : [there];
    });
  return (await Promise.all(files)).flat();
}

/** The absolute path of one file, in whichever repository; one that is not there is as seen from `cwd`. */
export async function askedFile(typed: string, cwd: string): Promise<string> {
  const fromHere = resolve(cwd, typed);
  if (isAbsolute(typed) || (await exists(fromHere))) return fromHere;
  const top = (await repositoryAround(cwd))?.trees[0];
  const fromTop = resolve(top ?? cwd, typed);
  return (await exists(fromTop)) ? fromTop : fromHere;
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  const known = await Promise.all(paths.map(exists));
  return paths.find((_, at) => known[at]);
}
