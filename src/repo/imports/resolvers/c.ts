import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath, nameOf } from "../../../lib/slash-path.ts";
import { addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";

const ROOTS = ["include", "inc", "src", "source", "lib", "public", "api"];

/** Folders that compilers are usually told to look for headers in. */
function includeRoots(index: TreeIndex): readonly string[] {
  const roots = new Set<string>([""]);
  const folders = new Set(index.filesOf("c").map(folderOf));
  for (const folder of folders) for (const root of includeRootsAbove(folder)) roots.add(root);
  return [...roots];
}

/** Those of them that a folder is or lies in, the root of the repository left out. */
export function includeRootsAbove(folder: string): readonly string[] {
  const segments = folder.split("/");
  return segments.flatMap((segment, at) =>
    ROOTS.includes(segment.toLowerCase()) ? [segments.slice(0, at + 1).join("/")] : [],
  );
}

/** How many folders two paths begin with alike. */
function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const end = left.findIndex((segment, at) => segment !== right[at]);
  return end < 0 ? left.length : end;
}

/** Headers and sources that are included: beside the file, below an include folder, or by a unique end. */
export function createCResolver(index: TreeIndex): FileResolver {
  const { paths } = index.tree;
  const roots = includeRoots(index);
  const byName = new Map<string, string[]>();
  for (const path of index.filesOf("c")) addTo(byName, nameOf(path), path);

  const inRoots = memoise((name) =>
    roots.map((root) => below(root, name)).filter((path) => paths.has(path)),
  );
  const byEnd = memoise((name) =>
    (byName.get(nameOf(name)) ?? []).filter((path) => path.endsWith(`/${name}`)),
  );

  function find(folder: string, name: string, beside: boolean): string | undefined {
    const path = joinPath(folder, name);
    if (beside && path !== undefined && paths.has(path)) return path;
    const found = inRoots(name);
    if (found.length > 0) {
      return found.toSorted((a, b) => sharedFolders(b, folder) - sharedFolders(a, folder))[0];
    }
    const ends = byEnd(name);
    return ends.length === 1 ? ends[0] : undefined;
  }

  return (from, scan, add) => {
    const folder = folderOf(from);
    for (const { specifier, kind } of scan.references) {
      const to = find(folder, specifier, kind === "include");
      if (to !== undefined) add(to, "include");
    }
  };
}
