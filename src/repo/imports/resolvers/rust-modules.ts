/** The tree of modules that Rust lays over files. */
import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath, nameOf, stemOf } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";
import type { Crates } from "./rust-crates.ts";

/** A module: its file, and the folder that its children are looked for in. */
export interface Module {
  readonly file: string | undefined;
  readonly folder: string;
}

const OWN_FOLDER = ["mod.rs", "lib.rs", "main.rs", "build.rs"];

export interface RustModules {
  moduleOf(file: string): Module;
  child(module: Module, name: string): Module | undefined;
  /** The module around one that `from` is or lies in. */
  parent(module: Module, from: string): Module | undefined;
  /** The deepest file on the way down the names. */
  descend(start: Module | undefined, names: readonly string[]): string | undefined;
}

/** Lays the modules of `mod` and `#[path]` over the files of the tree. */
export function createRustModules(index: TreeIndex, crates: Crates): RustModules {
  const { paths } = index.tree;

  const moduleOf = memoise((file): Module => {
    const folder = folderOf(file);
    const own = OWN_FOLDER.includes(nameOf(file)) || crates.isRoot(file);
    return { file, folder: own ? folder : below(folder, stemOf(file)) };
  });
  /** Files that a `#[path]` puts in place of a module, by the folder and name of the module. */
  const overrides = memoise(() => {
    const found = new Map<string, string>();
    for (const file of index.filesOf("rust")) {
      for (const { kind, specifier, names = [] } of index.tree.scan(file)?.references ?? []) {
        const path = kind === "module" && names[0] ? joinPath(folderOf(file), names[0]) : undefined;
        if (path !== undefined && paths.has(path)) {
          found.set(below(moduleOf(file).folder, specifier.replaceAll("::", "/")), path);
        }
      }
    }
    return found;
  });

  const childAt = memoise((base): Module | undefined => {
    const override = overrides("").get(base);
    if (override !== undefined) return { ...moduleOf(override), file: override };
    const file = [`${base}.rs`, `${base}/mod.rs`].find((path) => paths.has(path));
    if (file !== undefined) return { file, folder: base };
    return index.isFolder(base) ? { file: undefined, folder: base } : undefined;
  });
  function child({ folder }: Module, name: string): Module | undefined {
    return childAt(below(folder, name.startsWith("r#") ? name.slice(2) : name));
  }
  function parent(module: Module, from: string): Module | undefined {
    const root = crates.rootOf(from);
    const folder = folderOf(module.folder);
    if (root !== undefined && folder === moduleOf(root).folder) return moduleOf(root);
    const file = [`${folder}.rs`, `${folder}/mod.rs`].find((path) => paths.has(path));
    return { file, folder };
  }
  function descend(start: Module | undefined, names: readonly string[]): string | undefined {
    let module = start;
    let file = start?.file;
    for (const name of names) {
      module = module === undefined ? undefined : child(module, name);
      if (module === undefined) break;
      file = module.file ?? file;
    }
    return file;
  }

  return { moduleOf, child, parent, descend };
}
