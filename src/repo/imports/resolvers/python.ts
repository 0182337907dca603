import { below, nameOf } from "../../../lib/slash-path.ts";
import type { FileResolver, TreeIndex } from "../tree-index.ts";
import type { Reference } from "../types.ts";
import { createPythonModules, type Place } from "./python-modules.ts";

/** How many packages in a row may hand a name on. */
const HAND_ON_LIMIT = 3;

/** Files of the modules that Python files import. */
export function createPythonResolver(index: TreeIndex): FileResolver {
  const { find, placeOf } = createPythonModules(index);

  /** The files that `from … import name` of a package takes the name from. */
  function handedOn(file: string, name: string, left: number): string[] {
    if (left === 0 || !nameOf(file).startsWith("__init__.")) return [];
    const source = index.tree
      .scan(file)
      ?.references.find(({ names = [], specifier }) => names.includes(name) && specifier !== "");
    const place = source === undefined ? undefined : find(file, source.specifier);
    if (source === undefined || place === undefined) return [];
    return filesOf(place, name, left - 1);
  }
  function filesOf({ file, folder }: Place, name: string, left: number): string[] {
    const isPackage = file === undefined || nameOf(file).startsWith("__init__.");
    const submodule = isPackage ? placeOf(below(folder, name))?.file : undefined;
    if (submodule !== undefined) return [submodule];
    return file === undefined ? [] : [...handedOn(file, name, left), file];
  }
  function targets(from: string, { specifier, names = [] }: Reference): string[] {
    const place = find(from, specifier);
    if (place === undefined) return [];
    const files = names.flatMap((name) => filesOf(place, name, HAND_ON_LIMIT));
    if (files.length > 0) return files;
    return place.file === undefined ? [] : [place.file];
  }

  return (from, scan, add) => {
    for (const reference of scan.references) {
      for (const to of targets(from, reference)) add(to, "import");
    }
  };
}
