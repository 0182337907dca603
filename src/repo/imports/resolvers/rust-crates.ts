/** The crates of a repository, and which files they begin with. */
import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, isBelow, joinPath, upward } from "../../../lib/slash-path.ts";
import { textValue } from "../../verification/sections.ts";
import type { TreeIndex } from "../tree-index.ts";
import { readSections } from "./sections.ts";

export interface Crates {
  /** Whether a crate begins with the file: a library, a program, a test, an example, a benchmark. */
  isRoot(file: string): boolean;
  /** The file that `crate` means in a file. */
  rootOf(file: string): string | undefined;
  /** The library that is used under the name. */
  library(name: string): string | undefined;
}

const ROOT_FOLDERS = ["src/bin", "tests", "examples", "benches"];
const TARGETS = ["lib", "bin", "test", "example", "bench"];

interface Crate {
  readonly folder: string;
  readonly libraryName: string;
  readonly library: string;
  /** Other files that crates of the package begin with, as far as the manifest names them. */
  readonly named: readonly string[];
}

function readCrates({ tree, named }: TreeIndex): Crate[] {
  return named("Cargo.toml").flatMap((path) => {
    const sections = readSections(tree.manifest(path));
    const folder = folderOf(path);
    const name = textValue(
      sections.find((one) => one.name === "package"),
      "name",
    );
    if (name === undefined) return [];
    const lib = sections.find((one) => one.name === "lib");
    const roots = sections
      .filter((section) => TARGETS.includes(section.name))
      .flatMap((section) => textValue(section, "path") ?? [])
      .flatMap((target) => joinPath(folder, target) ?? []);
    return {
      folder,
      libraryName: textValue(lib, "name") ?? name.replaceAll("-", "_"),
      library: joinPath(folder, textValue(lib, "path") ?? "src/lib.rs") ?? "",
      named: roots,
    };
  });
}

/** Whether cargo finds a crate of its own in the file by its place in the package. */
function isFoundRoot(file: string, folder: string): boolean {
  const path = folder === "" ? file : file.slice(folder.length + 1);
  if (["src/lib.rs", "src/main.rs", "build.rs"].includes(path)) return true;
  const home = ROOT_FOLDERS.find((name) => path.startsWith(`${name}/`));
  if (home === undefined) return false;
  const rest = path.slice(home.length + 1);
  return !rest.includes("/") || /^[^/]+\/main\.rs$/.test(rest);
}

/** Reads the crates of the repository from its `Cargo.toml` files; of two of one name the first counts. */
export function createCrates(index: TreeIndex): Crates {
  const { paths } = index.tree;
  const crates = readCrates(index);
  const named = new Set(crates.flatMap((crate) => crate.named));
  const byFolder = new Map(crates.map((crate) => [crate.folder, crate]));
  const libraries = new Map<string, string>();
  for (const { libraryName, library } of crates) {
    if (paths.has(library) && !libraries.has(libraryName)) libraries.set(libraryName, library);
  }
  const crateOf = memoise((folder) => {
    const home = upward(folder).find((above) => byFolder.has(above));
    return home === undefined ? undefined : byFolder.get(home);
  });
  function isRoot(file: string): boolean {
    const crate = crateOf(folderOf(file));
    return named.has(file) || (crate !== undefined && isFoundRoot(file, crate.folder));
  }
  /** A file named by the manifest whose folder holds the file, the deepest. */
  function namedRoot(file: string, crate: Crate): string | undefined {
    return crate.named
      .filter((root) => paths.has(root) && isBelow(file, folderOf(root)))
      .toSorted((a, b) => folderOf(b).length - folderOf(a).length)[0];
  }
  function rootIn(folder: string): string | undefined {
    const beside = ["lib.rs", "main.rs"].map((name) => below(folder, name));
    return beside.find((path) => paths.has(path));
  }
  const rootOfFolder = memoise((folder) => {
    const crate = crateOf(folder);
    const end = crate?.folder ?? "";
    for (const above of upward(folder)) {
      const found = rootIn(above);
      if (found !== undefined) return found;
      if (above === end) return undefined;
    }
    return undefined;
  });
  return {
    isRoot,
    rootOf(file) {
      if (isRoot(file)) return file;
      const crate = crateOf(folderOf(file));
      const byManifest = crate === undefined ? undefined : namedRoot(file, crate);
      return byManifest ?? rootOfFolder(folderOf(file));
    },
    library: (name) => libraries.get(name),
  };
}
