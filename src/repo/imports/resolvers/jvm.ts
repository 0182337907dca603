import { addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";
import type { Scan } from "../types.ts";

/** Most files of one name that are linked, where none lies nearer than the others. */
const SAME_NAME_LIMIT = 6;

type Declaring = ReadonlyMap<string, readonly string[]>;

function readPackages(index: TreeIndex): ReadonlyMap<string, Declaring> {
  const packages = new Map<string, Map<string, string[]>>();
  for (const path of [...index.filesOf("java"), ...index.filesOf("kotlin")]) {
    const [packageName = "", ...names] = index.tree.scan(path)?.declares ?? [];
    const known = packages.get(packageName) ?? new Map<string, string[]>();
    packages.set(packageName, known);
    for (const name of names) addTo(known, name, path);
  }
  return packages;
}

/** The project that a file belongs to: what stands before its `src` folder. */
function projectOf(path: string): string {
  const source = path.search(/(?:^|\/)src\//);
  return source < 0 ? "" : path.slice(0, source);
}

/** Of files that declare the same name, those of the project that asks; else all, unless too many. */
function nearest(files: readonly string[], from: string): readonly string[] {
  if (files.length < 2) return files;
  const own = files.filter((path) => projectOf(path) === projectOf(from));
  if (own.length > 0) return own;
  return files.length <= SAME_NAME_LIMIT ? files : [];
}

/** Types and top-level functions that are imported, and types of the same package. */
export function createJvmResolver(index: TreeIndex): FileResolver {
  const packages = readPackages(index);

  /** The files that declare a qualified name: a type, one of its members, or a nested type. */
  function declaring(name: string): readonly string[] {
    const segments = name.split(".");
    for (let count = segments.length - 1; count >= 0; count -= 1) {
      const found = packages.get(segments.slice(0, count).join("."))?.get(segments[count] ?? "");
      if (found !== undefined) return found;
    }
    return [];
  }
  function usedNames({ references }: Scan): readonly string[] {
    return references.find(({ kind }) => kind === "use")?.names ?? [];
  }

  return (from, scan, add) => {
    const names = usedNames(scan);
    const imported = new Set<string>();
    const wildcards: Declaring[] = [];
    for (const { specifier, kind } of scan.references) {
      if (kind !== "import") continue;
      const whole = specifier.endsWith(".*");
      const inPackage = whole ? packages.get(specifier.slice(0, -2)) : undefined;
      if (inPackage !== undefined) {
        wildcards.push(inPackage);
        continue;
      }
      imported.add(specifier.slice(specifier.lastIndexOf(".") + 1));
      const files = declaring(whole ? specifier.slice(0, -2) : specifier);
      for (const to of nearest(files, from)) add(to, "import");
    }
    const own = packages.get(scan.declares[0] ?? "");
    for (const name of names) {
      if (imported.has(name)) continue;
      const here = own?.get(name);
      if (here !== undefined) for (const to of nearest(here, from)) add(to, "call");
      else {
        const files = wildcards.flatMap((inPackage) => inPackage.get(name) ?? []);
        for (const to of nearest(files, from)) add(to, "import");
      }
    }
  };
}
