/** Which file or folder the name of a Python module means. */
import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath, nameOf, stemOf, upward } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";
import { pythonRoots } from "./python-roots.ts";
import { STANDARD_LIBRARY } from "./python-standard-library.ts";

/** Where a module is: its file, or for a package without `__init__` its folder. */
export interface Place {
  readonly file?: string;
  readonly folder: string;
}

/** Folders outside of packages that hold a module, by the module's name. */
function strayModules(index: TreeIndex): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  const note = (name: string, folder: string) => {
    const known = folders.get(name);
    if (known === undefined) folders.set(name, new Set([folder]));
    else known.add(folder);
  };
  for (const path of index.filesOf("python")) {
    const folder = folderOf(path);
    const isPackage = nameOf(path) === "__init__.py";
    const home = isPackage ? folderOf(folder) : folder;
    if (index.tree.paths.has(below(home, "__init__.py"))) continue;
    note(isPackage ? nameOf(folder) : stemOf(path), home);
  }
  return folders;
}

export interface PythonModules {
  /** What a file means by a name, absolute or with dots before it. */
  find(from: string, specifier: string): Place | undefined;
  /** The module at a path without its extension. */
  placeOf(base: string): Place | undefined;
}

/** Finds modules as Python would with the repository's own roots on its path; what is installed is none. */
export function createPythonModules(index: TreeIndex): PythonModules {
  const { paths } = index.tree;
  const roots = pythonRoots(index);
  const stray = strayModules(index);

  function placeAt(base: string): Place | undefined {
    const files = [`${base}/__init__.py`, `${base}.py`, `${base}.pyi`, `${base}/__init__.pyi`];
    const file = files.find((path) => paths.has(path));
    if (file !== undefined) return { file, folder: base };
    return base !== "" && index.isFolder(base) ? { folder: base } : undefined;
  }
  const placeOf = memoise(placeAt);

  /** The first folder upward that is no package: what its tests and scripts import from. */
  const scriptRoot = memoise(
    (folder) => upward(folder).find((above) => !paths.has(below(above, "__init__.py"))) ?? "",
  );

  function rootOf(from: string, firstName: string): string | undefined {
    const holds = (root: string) => placeOf(below(root, firstName)) !== undefined;
    const hasFile = (root: string) => placeOf(below(root, firstName))?.file !== undefined;
    const own = scriptRoot(folderOf(from));
    const candidates = [own, ...roots.above(folderOf(from)), ...roots.all];
    const found = candidates.find(hasFile);
    if (found !== undefined) return found;
    if (STANDARD_LIBRARY.has(firstName)) return undefined;
    const lone = stray.get(firstName);
    if (lone?.size === 1) return [...lone][0];
    return candidates.find(holds);
  }

  /** The longest part of the dotted name that is a file, and how many names that takes. */
  function longest(root: string, names: readonly string[]): Place | undefined {
    for (let count = names.length; count > 0; count -= 1) {
      const place = placeOf(below(root, names.slice(0, count).join("/")));
      if (place?.file !== undefined || (place !== undefined && count === names.length))
        return place;
    }
    return undefined;
  }
  function absolute(from: string, specifier: string): Place | undefined {
    const names = specifier.split(".");
    const root = rootOf(from, names[0] ?? "");
    return root === undefined ? undefined : longest(root, names);
  }
  function relative(from: string, specifier: string): Place | undefined {
    const dots = /^\.+/.exec(specifier)?.[0].length ?? 1;
    const folder = joinPath(folderOf(from), "../".repeat(dots - 1) || ".");
    if (folder === undefined) return undefined;
    const rest = specifier.slice(dots);
    if (rest !== "") return longest(folder, rest.split("."));
    const file = `${folder}/__init__.py`;
    return paths.has(file) ? { file, folder } : { folder };
  }
  function find(from: string, specifier: string): Place | undefined {
    return specifier.startsWith(".") ? relative(from, specifier) : absolute(from, specifier);
  }

  return { find, placeOf };
}
