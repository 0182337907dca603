/** The packages of a repository that files of others may import. */
import { isRecord, parseJson } from "../../../lib/json.ts";
import { memoise } from "../../../lib/memoise.ts";
import { folderOf, isBelow, joinPath } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";

export interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: Record<string, unknown>;
}

export interface Workspaces {
  /** The package that a folder lies in. */
  around(folder: string): Package | undefined;
  /** The package whose package.json lies in the folder. */
  at(folder: string): Package | undefined;
  /** The package of that name, as a file of `folder` sees it. */
  named(folder: string, name: string): Package | undefined;
}

const DEPENDENCIES = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];
const LOCAL = /^(?:file|link|portal|workspace):/;

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The globs under `packages:` of a pnpm-workspace.yaml. */
function pnpmGlobs(text: string): string[] {
  const block = /^packages:[ \t]*\r?\n((?:[ \t]*(?:#[^\n]*)?\r?\n|[ \t]*-[^\n]*(?:\n|$))*)/m.exec(
    text,
  );
  return [...(block?.[1] ?? "").matchAll(/^[ \t]*-[ \t]*["']?([^"'#\n]*[^"'#\s])/gm)].map(
    ([, glob]) => glob ?? "",
  );
}

function workspaceGlobs({ manifest }: Package): string[] {
  const { workspaces } = manifest;
  return isRecord(workspaces) ? strings(workspaces.packages) : strings(workspaces);
}

function globPattern(glob: string): RegExp {
  const clean = glob.replace(/^!/, "").replace(/^\.\//, "").replace(/\/+$/, "");
  const source = clean
    .replace(/[.+^${}()|[\]\\?]/g, "\\$&")
    .replace(/\*\*\/|\/?\*\*|\*/g, (stars) =>
      stars === "*" ? "[^/]*" : stars === "**/" ? "(?:.*/)?" : "(?:.*)?",
    );
  return new RegExp(`^${source}$`);
}

/** Tells which folders are members of a workspace at `root`: the root is one, and what its globs say. */
function membership(root: string, globs: readonly string[]): (folder: string) => boolean {
  const included = globs.filter((glob) => !glob.startsWith("!")).map(globPattern);
  const excluded = globs.filter((glob) => glob.startsWith("!")).map(globPattern);
  return (folder) => {
    if (folder === root) return true;
    if (!isBelow(folder, root)) return false;
    const path = root === "" ? folder : folder.slice(root.length + 1);
    return (
      included.some((pattern) => pattern.test(path)) &&
      !excluded.some((pattern) => pattern.test(path))
    );
  };
}

function readPackages({ tree, named }: TreeIndex): Package[] {
  return named("package.json").flatMap((path) => {
    const manifest = parseJson((tree.manifest(path) ?? "").replace(/^\ufeff/, ""));
    if (!isRecord(manifest)) return [];
    const name = typeof manifest.name === "string" ? manifest.name : undefined;
    return [{ folder: folderOf(path), name, manifest }];
  });
}

function workspaceTests(index: TreeIndex, packages: readonly Package[]) {
  const pnpm = ["pnpm-workspace.yaml", "pnpm-workspace.yml"].flatMap((name) => index.named(name));
  return [
    ...packages
      .map((one) => ({ folder: one.folder, globs: workspaceGlobs(one) }))
      .filter(({ globs }) => globs.length > 0)
      .map(({ folder, globs }) => membership(folder, globs)),
    ...pnpm.map((path) => membership(folderOf(path), pnpmGlobs(index.tree.manifest(path) ?? ""))),
  ];
}

/** Reads every `package.json` of the tree once. */
export function createWorkspaces(index: TreeIndex): Workspaces {
  const all = readPackages(index);
  const tests = workspaceTests(index, all);
  const byFolder = new Map(all.map((one) => [one.folder, one]));
  const members = new Map<string, Package>();
  for (const one of all) {
    const isMember = one.name !== undefined && tests.some((test) => test(one.folder));
    if (isMember && one.name !== undefined && !members.has(one.name)) members.set(one.name, one);
  }
  const around = memoise((folder) => {
    const nearest = index.nearest(folder, ["package.json"]);
    return nearest === undefined ? undefined : byFolder.get(nearest);
  });

  /** Another folder that the manifest names as the place of a dependency. */
  function localDependency(own: Package, name: string): Package | undefined {
    for (const field of DEPENDENCIES) {
      const list = own.manifest[field];
      const version = isRecord(list) ? list[name] : undefined;
      if (typeof version !== "string" || !LOCAL.test(version)) continue;
      const folder = joinPath(own.folder, version.replace(LOCAL, ""));
      const found = folder === undefined ? undefined : byFolder.get(folder);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  function named(folder: string, name: string): Package | undefined {
    const own = around(folder);
    if (own?.name === name) return own;
    return (own && localDependency(own, name)) ?? members.get(name);
  }
  return { around, at: (folder) => byFolder.get(folder), named };
}
