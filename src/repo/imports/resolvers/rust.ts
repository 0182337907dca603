import { folderOf, joinPath } from "../../../lib/slash-path.ts";
import type { FileResolver, TreeIndex } from "../tree-index.ts";
import type { Reference } from "../types.ts";
import { createCrates } from "./rust-crates.ts";
import { createRustModules, type Module } from "./rust-modules.ts";

/** Files of the modules that Rust files declare and use. */
export function createRustResolver(index: TreeIndex): FileResolver {
  const { paths } = index.tree;
  const crates = createCrates(index);
  const { moduleOf, child, parent, descend } = createRustModules(index, crates);

  function climb(from: string, names: readonly string[]): string | undefined {
    let module: Module | undefined = moduleOf(from);
    let at = names[0] === "self" ? 1 : 0;
    while (names[at] === "super") {
      module = module === undefined ? undefined : parent(module, from);
      at += 1;
    }
    return descend(module, names.slice(at));
  }

  function find(from: string, path: string): string | undefined {
    const names = path.split("::");
    const [head = ""] = names;
    if (head === "self" || head === "super") return climb(from, names);
    const root = crates.rootOf(from);
    const rootModule = root === undefined ? undefined : moduleOf(root);
    if (head === "crate" || head === "$crate") return descend(rootModule, names.slice(1));
    const here = moduleOf(from);
    if (child(here, head)?.file !== undefined) return descend(here, names);
    const library = crates.library(head);
    if (library !== undefined) return descend(moduleOf(library), names.slice(1));
    if (
      rootModule !== undefined &&
      names.length > 1 &&
      child(rootModule, head)?.file !== undefined
    ) {
      return descend(rootModule, names);
    }
    return undefined;
  }
  function submodule(from: string, { specifier, names = [] }: Reference): string | undefined {
    const path = names[0] === undefined ? undefined : joinPath(folderOf(from), names[0]);
    return path !== undefined && paths.has(path) ? path : find(from, `self::${specifier}`);
  }

  return (from, scan, add) => {
    for (const reference of scan.references) {
      if (reference.kind === "module") {
        const to = submodule(from, reference);
        if (to !== undefined) add(to, "module");
      } else if (reference.kind === "import") {
        const to = find(from, reference.specifier);
        if (to !== undefined) add(to, "import");
      }
    }
  };
}
