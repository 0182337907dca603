import { folderOf, upward } from "../lib/slash-path.ts";
import type { ScopeBase } from "./analysis/scope.ts";
import type { CurrentFiles } from "./files/current-files.ts";
import { pathFrom } from "./paths.ts";

/**
 * What words of a scope are relative to: where the user stands, or the root for who stands outside.
 * @param cwd absolute.
 * @param root absolute top of the working tree.
 */
export function scopeBase(
  cwd: string,
  root: string,
  { paths }: Pick<CurrentFiles, "paths">,
): ScopeBase {
  const folders = new Set<string>();
  for (const path of paths) {
    for (const folder of upward(folderOf(path))) {
      if (folder === "" || folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return {
    root,
    prefix: pathFrom(root, cwd) ?? "",
    exists: (path) => paths.has(path) || folders.has(path),
  };
}
