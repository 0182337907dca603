import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf } from "../../../lib/slash-path.ts";
import { type AddLink, addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";
import type { Reference } from "../types.ts";

/** A package of more files is linked by the names that are taken from it alone. */
const WHOLE_PACKAGE = 12;
/** So is one of more files than this where no name is known, which says nothing. */
const UNNAMED_PACKAGE = 40;
/** Most files of the own package that are linked by name. */
const CALL_LIMIT = 60;

interface Module {
  readonly path: string;
  readonly folder: string;
}

/** The package in one folder, without its tests. */
interface Package {
  readonly files: readonly string[];
  readonly declaring: ReadonlyMap<string, readonly string[]>;
}

function isTest(path: string): boolean {
  return path.endsWith("_test.go");
}

function readModules({ tree, named }: TreeIndex): ReadonlyMap<string, Module> {
  const modules = named("go.mod").flatMap((path): [string, Module][] => {
    const text = tree.manifest(path) ?? "";
    const name = /^\s*module\s+(?:"([^"]+)"|([^\s/]\S*))/m.exec(text);
    const module = name?.[1] ?? name?.[2];
    return module === undefined ? [] : [[module, { path: module, folder: folderOf(path) }]];
  });
  return new Map(modules);
}

function packageOf({ tree, filesIn }: TreeIndex, folder: string, withTests: boolean): Package {
  const files = filesIn(folder).filter(
    (path) => path.endsWith(".go") && (withTests || !isTest(path)),
  );
  const declaring = new Map<string, string[]>();
  for (const path of files) {
    for (const name of tree.scan(path)?.declares.slice(1) ?? []) addTo(declaring, name, path);
  }
  return { files, declaring };
}

/** Files of the packages a Go file imports, and of its own package by the names it uses. */
export function createGoResolver(index: TreeIndex): FileResolver {
  const modules = readModules(index);
  const importable = memoise((folder) => packageOf(index, folder, false));
  const own = memoise((folder) => packageOf(index, folder, true));

  /** The folder of an import path: below the module with the longest path that begins it. */
  const folderOfImport = memoise((path) => {
    const segments = path.split("/");
    for (let count = segments.length; count > 0; count -= 1) {
      const module = modules.get(segments.slice(0, count).join("/"));
      if (module !== undefined) return below(module.folder, segments.slice(count).join("/"));
    }
    return undefined;
  });

  function linkImport(from: string, { specifier, names = [] }: Reference, add: AddLink): void {
    const folder = folderOfImport(specifier);
    if (folder === undefined) return;
    const { files, declaring } = importable(folder);
    const named = names.flatMap((name) => declaring.get(name) ?? []);
    for (const to of named) add(to, "import");
    const limit = named.length > 0 ? WHOLE_PACKAGE : UNNAMED_PACKAGE;
    if (files.length > limit && folder !== folderOf(from)) return;
    for (const to of files) add(to, "package");
  }

  return (from, scan, add) => {
    for (const reference of scan.references) {
      if (reference.kind === "import") linkImport(from, reference, add);
    }
    const packageName = scan.declares[0];
    const { declaring } = own(folderOf(from));
    let calls = 0;
    for (const { kind, names = [] } of scan.references) {
      if (kind !== "use") continue;
      for (const to of names.flatMap((name) => declaring.get(name) ?? [])) {
        const visible = isTest(from) || !isTest(to);
        if (!visible || index.tree.scan(to)?.declares[0] !== packageName) continue;
        calls += 1;
        if (calls <= CALL_LIMIT) add(to, "call");
      }
    }
  };
}
