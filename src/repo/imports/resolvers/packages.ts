/** Which file of a package a specifier means. */
import { joinPath } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";
import { type ExportTargets, exportTargets } from "./exports.ts";
import type { Probe } from "./probe.ts";
import { createWorkspaces, type Package } from "./workspaces.ts";

export interface Packages {
  /** The file that a bare specifier or one with `#` means for a file of the folder. */
  resolve(folder: string, specifier: string): string | undefined;
  /** The file that a folder with a package.json of its own stands for. */
  entryOf(folder: string): string | undefined;
  /** The folder of the package of that name, as a file of `folder` sees it. */
  folderNamed(folder: string, name: string): string | undefined;
}

const BUILD = /^(?:dist|build|lib|out|output|esm|cjs|es|types|typings|\.\w+)\//;
const OUTPUT = /(?:\.d)?\.[cm]?[jt]sx?$/;
const ENTRY_FIELDS = ["source", "module", "types", "typings", "main", "browser"];

/** `@scope/name/sub/path` as the name of the package and the rest. */
function splitSpecifier(specifier: string): [name: string, rest: string] {
  const segments = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return [segments.slice(0, count).join("/"), segments.slice(count).join("/")];
}

/** The places in the sources that a file of the build may come from. */
function sourcePlaces(target: string): string[] {
  let rest = target.replace(/^\.\//, "").replace(OUTPUT, "");
  const places: string[] = [];
  while (BUILD.test(rest)) {
    rest = rest.replace(BUILD, "");
    places.push(`src/${rest}`, `source/${rest}`, `lib/${rest}`, rest);
  }
  return places;
}

/** Finds what specifiers mean that name a package of the repository, in its sources rather than its build. */
export function createPackages(index: TreeIndex, probe: Probe): Packages {
  const workspaces = createWorkspaces(index);

  function fileAt(folder: string, target: string): string | undefined {
    for (const place of [target, ...sourcePlaces(target)]) {
      const path = joinPath(folder, place);
      const found = path === undefined ? undefined : probe(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  function firstFile(folder: string, targets: ExportTargets): string | undefined {
    for (const target of targets) {
      const found = fileAt(folder, target);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  function entry({ folder, manifest }: Package): string | undefined {
    const fields = ENTRY_FIELDS.map((field) => manifest[field]);
    const targets = fields.filter((value) => typeof value === "string");
    return firstFile(folder, [...targets, "src/index", "index", "src/main", "src/mod"]);
  }
  function inPackage(one: Package, rest: string): string | undefined {
    const exported = exportTargets(one.manifest.exports, rest === "" ? "." : `./${rest}`);
    const found = firstFile(one.folder, exported);
    if (found !== undefined) return found;
    return rest === "" ? entry(one) : firstFile(one.folder, [rest, `src/${rest}`]);
  }
  function privateImport(folder: string, specifier: string): string | undefined {
    const own = workspaces.around(folder);
    if (own === undefined) return undefined;
    for (const target of exportTargets(own.manifest.imports, specifier)) {
      const found = target.startsWith(".") ? fileAt(own.folder, target) : resolve(folder, target);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  function resolve(folder: string, specifier: string): string | undefined {
    if (specifier.startsWith("#")) return privateImport(folder, specifier);
    const [name, rest] = splitSpecifier(specifier);
    const one = workspaces.named(folder, name);
    return one === undefined ? undefined : inPackage(one, rest);
  }

  return {
    resolve,
    entryOf(folder) {
      const one = workspaces.at(folder);
      return one === undefined ? undefined : entry(one);
    },
    folderNamed: (folder, name) => workspaces.named(folder, name)?.folder,
  };
}
