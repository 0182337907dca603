import { join } from "node:path";
import { isQuoted } from "../../lib/git-path.ts";
import { fingerprint } from "../../platform/fingerprint.ts";
import { sha256 } from "../../platform/hash.ts";
import type { WorkingTree } from "../working-tree.ts";
import type { TreeState } from "./records.ts";

/**
 * What the files of a working tree are: equal for the same commit with the same changes in it.
 * @param root top of the working tree.
 */
export async function treeState(
  root: string,
  { head, changes }: Pick<WorkingTree, "head" | "changes">,
): Promise<TreeState> {
  const contents = await Promise.all(
    changes.map(async ({ path }) =>
      JSON.stringify([path, isQuoted(path) ? "" : await fingerprint(join(root, path))]),
    ),
  );
  const tree = sha256([head ?? "", ...contents].join("\n"));
  return head === undefined ? { tree } : { head, tree };
}
