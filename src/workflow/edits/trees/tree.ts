/** Trees of git: what they hold, how two of them differ, and how one is made from another. */
import { decodePath, encodePath } from "../../../lib/git-path.ts";
import { nulFields } from "../../../lib/nul-fields.ts";
import type { TreeIndex, TreeStore } from "./tree-store.ts";

/** A nested repository; its files are its own. */
export const SUBMODULE_MODE = "160000";

export interface TreeEntry {
  /** A `FileMode`, or that of a nested repository. */
  readonly mode: string;
  /** Full hash of the content; of a nested repository, its commit. */
  readonly blob: string;
}

/** One path that differs between two trees; without `before` it is new, without `after` it is gone. */
export interface TreeChange {
  /** Relative to the top, as `lib/git-path` writes it. */
  readonly path: string;
  readonly before?: TreeEntry;
  readonly after?: TreeEntry;
}

export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob;
}

const NO_MODE = "000000";

/** What to do to each path to come from one tree to the other, sorted by path; renames are two. */
export async function diffTrees(
  store: Pick<TreeStore, "stream">,
  from: string,
  to: string,
): Promise<readonly TreeChange[]> {
  if (from === to) return [];
  const changes: TreeChange[] = [];
  let header: readonly string[] | undefined;
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to];
  for await (const field of nulFields(store.stream(args))) {
    if (header === undefined) {
      header = field.toString("latin1", 1).split(" ");
      continue;
    }
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = header;
    changes.push({
      path: decodePath(field),
      ...(oldMode === NO_MODE ? {} : { before: { mode: oldMode, blob: oldBlob } }),
      ...(newMode === NO_MODE ? {} : { after: { mode: newMode, blob: newBlob } }),
    });
    header = undefined;
  }
  return changes;
}

/** All that a tree holds, by path. */
export async function readTree(
  store: Pick<TreeStore, "stream">,
  tree: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for await (const field of nulFields(store.stream(["ls-tree", "-r", "-z", "--full-tree", tree]))) {
    const tab = field.indexOf("\t");
    const [mode = "", , blob = ""] = field.toString("latin1", 0, tab).split(" ");
    entries.set(decodePath(field.subarray(tab + 1)), { mode, blob });
  }
  return entries;
}

/** The tree that another becomes when each of these paths is what its change says. */
export function changeTree(
  store: TreeStore,
  tree: string,
  changes: readonly Pick<TreeChange, "path" | "after">[],
): Promise<string> {
  if (changes.length === 0) return Promise.resolve(tree);
  return store.withIndex(async (index) => {
    await index.run(["read-tree", tree]);
    await updateIndex(index, changes);
    return writeTree(index);
  });
}

/** Puts paths into an index, or takes them out; a file may take the place of a folder. */
export async function updateIndex(
  index: Pick<TreeIndex, "run" | "kind">,
  changes: readonly Pick<TreeChange, "path" | "after">[],
): Promise<void> {
  if (changes.length === 0) return;
  const removed = changes.filter(({ after }) => after === undefined);
  const put = changes.filter(({ after }) => after !== undefined);
  const lines = [...removed, ...put].map(({ path, after }) => {
    const { mode, blob } = after ?? { mode: "0", blob: "0".repeat(index.kind.hashLength) };
    return Buffer.concat([Buffer.from(`${mode} ${blob}\t`), encodePath(path), Buffer.from([0])]);
  });
  const args = ["update-index", "--replace", "-z", "--index-info"];
  await index.run(args, { input: Buffer.concat(lines) });
}

/** The tree that an index holds. */
export async function writeTree(index: Pick<TreeIndex, "run">): Promise<string> {
  // Of a partial clone the repository need not have every content.
  const { stdout } = await index.run(["write-tree", "--missing-ok"]);
  return stdout.trim();
}
