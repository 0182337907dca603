import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath, nameOf, upward } from "../../../lib/slash-path.ts";
import { addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";

/** Folders that `require` looks in, wherever they are. */
const LOAD_FOLDERS = ["lib", "test", "spec", "ext"];
/** `app/models`, `app/models/concerns`, `lib`: where constants are loaded by name. */
const AUTOLOAD = /^(?:(.*)\/)?(?:app\/[^/]+(?:\/concerns)?|lib|app)\//;

function underscore(constant: string): string {
  return constant
    .replaceAll("::", "/")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase();
}

/** Files below the folders that constants are loaded from, by every end of path they may have there. */
function autoloaded(index: TreeIndex): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of index.filesOf("ruby")) {
    if (!path.endsWith(".rb")) continue;
    const shortest = AUTOLOAD.exec(path);
    if (shortest === null) continue;
    addTo(found, path.slice(shortest[0].length, -3), path);
    const concern = /\/app\/[^/]+\/(.*)\.rb$/.exec(`/${path}`)?.[1];
    if (concern !== undefined && concern !== path.slice(shortest[0].length, -3)) {
      addTo(found, concern, path);
    }
  }
  return found;
}

/** Files that are required, and constants that are loaded by name where one file alone fits. */
export function createRubyResolver(index: TreeIndex): FileResolver {
  const { paths } = index.tree;
  const byConstant = autoloaded(index);
  const loadFolders = [...new Set(index.filesOf("ruby").flatMap((path) => upward(folderOf(path))))]
    .filter((folder) => LOAD_FOLDERS.includes(nameOf(folder)))
    .toSorted((a, b) => a.length - b.length);

  function rubyFile(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    return [`${path}.rb`, path].find((candidate) => paths.has(candidate));
  }
  const inLoadPath = memoise((name) => {
    if (name.startsWith(".") || name.startsWith("/")) return [];
    return loadFolders.flatMap((folder) => rubyFile(below(folder, name)) ?? []);
  });
  /** Of several, the one whose load folder lies nearest to the file. */
  function required(from: string, name: string): string | undefined {
    const found = inLoadPath(name);
    if (found.length < 2) return found[0];
    for (const folder of upward(folderOf(from))) {
      const near = found.find((path) => folder === "" || path.startsWith(`${folder}/`));
      if (near !== undefined) return near;
    }
    return found[0];
  }
  function constantFile(name: string, namespaces: readonly string[]): string | undefined {
    const scopes = [...namespaces].toReversed().map((namespace) => `${namespace}::${name}`);
    for (const full of name.startsWith("::") ? [name.slice(2)] : [...scopes, name]) {
      const found = byConstant.get(underscore(full));
      if (found !== undefined) return found.length === 1 ? found[0] : undefined;
    }
    return undefined;
  }

  return (from, scan, add) => {
    const folder = folderOf(from);
    for (const { kind, specifier, names = [] } of scan.references) {
      if (kind === "include") add(rubyFile(joinPath(folder, specifier)) ?? "", "include");
      else if (kind === "import") {
        const relative = specifier.startsWith(".")
          ? rubyFile(joinPath(folder, specifier))
          : undefined;
        add(relative ?? required(from, specifier) ?? "", "import");
      } else {
        for (const name of names) add(constantFile(name, scan.declares) ?? "", "call");
      }
    }
  };
}
