import { dirname, join, resolve } from "node:path";
import { isDirectory, readTextFile } from "../files.ts";
import { workingTreeTop } from "./working-tree-top.ts";

/**
 * The git directory that the working trees of the repository around a folder share, found without
 * git; `undefined` where there is none to be seen.
 */
export async function commonDirAround(folder: string): Promise<string | undefined> {
  const top = await workingTreeTop(folder);
  const entry = join(top, ".git");
  if (await isDirectory(entry)) return entry;
  const [, named] = /^gitdir: (.+)$/m.exec((await readTextFile(entry)) ?? "") ?? [];
  if (named === undefined) return undefined;
  const own = resolve(dirname(entry), named);
  const shared = await readTextFile(join(own, "commondir"));
  return shared === undefined ? own : resolve(own, shared.trim());
}
