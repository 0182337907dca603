import { isRecord, parseJson } from "../../../lib/json.ts";
import { memoise } from "../../../lib/memoise.ts";
import { below, folderOf, joinPath } from "../../../lib/slash-path.ts";
import { addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";

/** Folders of the classes whose names begin with a prefix (PSR-4). */
interface Prefix {
  readonly prefix: string;
  readonly folder: string;
}

function prefixesIn(folder: string, section: unknown): Prefix[] {
  const map = isRecord(section) ? section["psr-4"] : undefined;
  if (!isRecord(map)) return [];
  return Object.entries(map).flatMap(([prefix, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((target) => {
      const place = typeof target === "string" ? joinPath(folder, `${target}/`) : undefined;
      return place === undefined ? [] : [{ prefix, folder: place }];
    }),
  );
}

function readPrefixes({ tree, named }: TreeIndex): Prefix[] {
  const all = named("composer.json").flatMap((path) => {
    const manifest = parseJson(tree.manifest(path) ?? "");
    if (!isRecord(manifest)) return [];
    const folder = folderOf(path);
    return [
      ...prefixesIn(folder, manifest.autoload),
      ...prefixesIn(folder, manifest["autoload-dev"]),
    ];
  });
  return all.toSorted((a, b) => b.prefix.length - a.prefix.length);
}

function declaredNames(index: TreeIndex): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of index.filesOf("php")) {
    for (const name of index.tree.scan(path)?.declares.slice(1) ?? []) addTo(found, name, path);
  }
  return found;
}

/** Classes by composer's autoloading, or where one file alone declares them; and included files. */
export function createPhpResolver(index: TreeIndex): FileResolver {
  const { paths } = index.tree;
  const prefixes = readPrefixes(index);
  const declared = declaredNames(index);

  const fileOfClass = memoise((name) => {
    for (const { prefix, folder } of prefixes) {
      if (!name.startsWith(prefix)) continue;
      const path = below(folder, `${name.slice(prefix.length).replaceAll("\\", "/")}.php`);
      if (paths.has(path)) return path;
    }
    const files = declared.get(name) ?? [];
    return files.length === 1 ? files[0] : undefined;
  });
  function included(from: string, specifier: string): string | undefined {
    const beside = joinPath(folderOf(from), specifier);
    if (beside !== undefined && paths.has(beside)) return beside;
    return paths.has(specifier) ? specifier : undefined;
  }

  return (from, scan, add) => {
    const namespace = scan.declares[0] ?? "";
    const aliases = new Map<string, string>();
    for (const { kind, specifier } of scan.references) {
      if (kind === "include") add(included(from, specifier) ?? "", "include");
      else if (kind === "import") {
        aliases.set(specifier.slice(specifier.lastIndexOf("\\") + 1), specifier);
        add(fileOfClass(specifier) ?? fileOfClass(`${namespace}\\${specifier}`) ?? "", "import");
      }
    }
    for (const name of scan.references.find(({ kind }) => kind === "use")?.names ?? []) {
      const [head = "", ...rest] = name.split("\\");
      const alias = head === "" ? rest.join("\\") : aliases.get(head);
      const full =
        head === ""
          ? alias
          : alias === undefined
            ? `${namespace}\\${name}`
            : [alias, ...rest].join("\\");
      add(
        fileOfClass((full ?? "").replace(/^\\/, "")) ?? "",
        alias === undefined ? "call" : "import",
      );
    }
  };
}
