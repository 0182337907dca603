import { memoise } from "../../../lib/memoise.ts";
import { folderOf, upward } from "../../../lib/slash-path.ts";
import { addTo, type FileResolver, type TreeIndex } from "../tree-index.ts";

/** A partial class of more files, or a name that more files declare, says nothing. */
const SAME_NAME_LIMIT = 8;

interface Type {
  readonly namespace: string;
  readonly path: string;
}

function readTypes(index: TreeIndex): ReadonlyMap<string, readonly Type[]> {
  const types = new Map<string, Type[]>();
  for (const path of index.filesOf("csharp")) {
    for (const declared of index.tree.scan(path)?.declares ?? []) {
      const dot = declared.lastIndexOf(".");
      const type = { namespace: dot < 0 ? "" : declared.slice(0, dot), path };
      addTo(types, declared.slice(dot + 1), type);
    }
  }
  return types;
}

/** Whether a project of C# is in the folder of the file. */
export function isCsharpProject(path: string): boolean {
  return path.endsWith(".csproj");
}

function isGlobal(names: readonly string[] | undefined): boolean {
  return names?.includes("global") === true;
}

/** Types that a file names, of the namespaces it is in or uses. */
export function createCsharpResolver(index: TreeIndex): FileResolver {
  const types = readTypes(index);
  const projects = new Set([...index.tree.paths].filter(isCsharpProject).map(folderOf));
  const projectOf = memoise((folder) => upward(folder).find((above) => projects.has(above)) ?? "");

  const globals = new Map<string, string[]>();
  for (const path of index.filesOf("csharp")) {
    for (const { specifier, names } of index.tree.scan(path)?.references ?? []) {
      if (isGlobal(names)) addTo(globals, projectOf(folderOf(path)), specifier);
    }
  }

  /** A namespace sees those around it. */
  function visible(
    from: string,
    declares: readonly string[],
    usings: readonly string[],
  ): Set<string> {
    const seen = new Set<string>([
      "",
      ...usings,
      ...(globals.get(projectOf(folderOf(from))) ?? []),
    ]);
    for (const declared of declares) {
      const segments = declared.split(".").slice(0, -1);
      for (let count = segments.length; count > 0; count -= 1) {
        seen.add(segments.slice(0, count).join("."));
      }
    }
    return seen;
  }

  return (from, scan, add) => {
    const imports = scan.references.filter(({ kind }) => kind === "import");
    const usings = imports.map(({ specifier }) => specifier);
    const seen = visible(from, scan.declares, usings);
    const own = new Set(scan.declares.map((name) => name.slice(0, name.lastIndexOf("."))));
    const used = scan.references.find(({ kind }) => kind === "use")?.names ?? [];
    const taken = usings.map((name) => name.slice(name.lastIndexOf(".") + 1));
    for (const name of new Set([...used, ...taken])) {
      const found = (types.get(name) ?? []).filter(
        ({ namespace }) => seen.has(namespace) || usings.includes(`${namespace}.${name}`),
      );
      if (found.length > SAME_NAME_LIMIT) continue;
      for (const { namespace, path } of found) add(path, own.has(namespace) ? "call" : "import");
    }
  };
}
