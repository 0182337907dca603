import { memoise } from "../../../lib/memoise.ts";
import { folderOf, joinPath } from "../../../lib/slash-path.ts";
import type { FileResolver, TreeIndex } from "../tree-index.ts";
import { createOrigins } from "./origins.ts";
import { createPackages } from "./packages.ts";
import { createProbe } from "./probe.ts";
import { createTsconfigs } from "./tsconfig.ts";

/** `./x?raw` of bundlers is `./x`; a scheme or an absolute path names no file of the tree. */
function cleaned(specifier: string): string | undefined {
  const plain = specifier.replace(/[?!].*$/, "");
  return /^[a-z][a-z+.-]+:/i.test(plain) || plain.startsWith("/") ? undefined : plain;
}

/** Files that JavaScript, TypeScript, Vue and Svelte files import. */
export function createJavascriptResolver(index: TreeIndex): FileResolver {
  const probe = createProbe(index);
  const packages = createPackages(index, probe);
  const tsconfigs = createTsconfigs(index, packages);

  function resolve(folder: string, specifier: string): string | undefined {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
      const path = joinPath(folder, specifier);
      return path === undefined ? undefined : (probe(path) ?? packages.entryOf(path));
    }
    for (const path of tsconfigs.candidates(folder, specifier)) {
      const found = probe(path) ?? packages.entryOf(path);
      if (found !== undefined) return found;
    }
    return packages.resolve(folder, specifier);
  }
  const resolveIn = memoise((folder) => memoise((specifier) => resolve(folder, specifier)));

  function fileOf(from: string, specifier: string): string | undefined {
    const plain = cleaned(specifier);
    return plain === undefined ? undefined : resolveIn(folderOf(from))(plain);
  }
  const originsOf = createOrigins(index, fileOf);

  return (from, scan, add) => {
    for (const { specifier, names = [] } of scan.references) {
      const to = fileOf(from, specifier);
      if (to === undefined) continue;
      add(to, "import");
      for (const name of names) {
        for (const origin of originsOf(to, name)) add(origin, "import");
      }
    }
  };
}
