import { below, folderOf } from "../../lib/slash-path.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { groupBy, nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan, PlannedCommand } from "./types.ts";

/** More packages than this are tested by one command. */
const LISTED_PACKAGES = 8;
const LINTER_CONFIGURATION = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];

const command = commandsOf("go");

/** Go: `go test` of packages, in the module that holds them. */
export const go: Ecosystem = {
  name: "go",
  owns: (path) => path.endsWith(".go"),
  isProjectFile: (name) => name === "go.mod" || name === "go.work",
  plan: (work, tree) => planEach(work, tree, (path) => nearestWith(tree, path, "go.mod"), plan),
};

function plan(project: Project, tree: ProjectTree): Plan {
  const { root } = project;
  const workspace = workspaceOf(root, tree);
  const program =
    workspace?.modules.includes(root) === false ? ["env", "GOWORK=off", "go"] : ["go"];
  const all = command([...program, "test", "./..."], root, "all packages of the module");
  const fast = packageTests(project, tree, program, all);
  return {
    fast,
    safe: fast.length > 0 && !project.others.some(concernsAll) ? fast : [all],
    full: [
      workspace?.modules.includes(root) && workspace.modules.length > 1
        ? workspaceTest(workspace)
        : all,
      command([...program, "vet", "./..."], root, "what the compiler lets through"),
      ...lint(root, tree),
    ],
  };
}

/** What decides which code of others is built in. */
function concernsAll(path: string): boolean {
  return /(?:^|\/)(?:go\.(?:mod|sum|work|work\.sum)|vendor\/modules\.txt)$/.test(path);
}

/** @param all takes the place of a list of most packages of the module. */
function packageTests(
  project: Project,
  tree: ProjectTree,
  program: readonly string[],
  all: PlannedCommand,
): readonly PlannedCommand[] {
  const { root, sources, tests, others } = project;
  const data = others.filter((path) => /(?:^|\/)testdata\//.test(path));
  const folders = groupBy([...sources, ...tests, ...data], (path) => packageFolder(path, root));
  const packages = [...folders]
    .filter(([folder, files]) => isPackage(folder, files, tree))
    .map(([folder]) => packagePattern(root, folder));
  if (packages.length > LISTED_PACKAGES) {
    if (packages.length >= packageCount(root, tree) / 2) return [all];
    return [command([...program, "test", ...packages], root, "the packages that changed")];
  }
  return packages.map((name) => command([...program, "test", name], root, `package ${name}`));
}

function packageCount(root: string, tree: ProjectTree): number {
  const folders = new Set<string>();
  for (const path of tree.paths) {
    if (path.endsWith(".go") && (root === "" || path.startsWith(`${root}/`))) {
      folders.add(folderOf(path));
    }
  }
  return folders.size;
}

/** Files below `testdata` belong to the package above it. */
function packageFolder(path: string, root: string): string {
  const segments = relativeTo(root, folderOf(path)).split("/");
  const data = segments.indexOf("testdata");
  if (data === -1) return folderOf(path);
  const above = segments.slice(0, data).join("/");
  return below(root, above);
}

/** A folder whose last file was deleted is none any more, nor is one that Go leaves out. */
function isPackage(folder: string, files: readonly string[], tree: ProjectTree): boolean {
  if (/(?:^|\/)(?:_|\.|vendor(?:\/|$))/.test(folder)) return false;
  if (files.some((path) => tree.has(path) && folderOf(path) === folder)) return true;
  return tree.some((path) => path.endsWith(".go") && folderOf(path) === folder);
}

function packagePattern(root: string, folder: string): string {
  const relative = relativeTo(root, folder);
  return relative === "" ? "." : `./${relative}`;
}

interface Workspace {
  readonly folder: string;
  /** Folders of its modules. */
  readonly modules: readonly string[];
}

function workspaceOf(root: string, tree: ProjectTree): Workspace | undefined {
  const folder = nearestWith(tree, below(root, "go.mod"), "go.work");
  if (folder === undefined) return undefined;
  const text = (tree.text(below(folder, "go.work")) ?? "").replaceAll(/\/\/.*$/gm, "");
  const blocks = [...text.matchAll(/^\s*use\s*\(([^)]*)\)/gm)].map((match) => match[1] ?? "");
  const single = [...text.matchAll(/^\s*use\s+([^\s(]\S*)\s*$/gm)].map((match) => match[1] ?? "");
  const uses = [...blocks.flatMap((block) => block.split("\n")), ...single];
  const modules = uses
    .map((use) => use.trim().replaceAll(/["`]/g, ""))
    .filter((use) => use !== "")
    .map((use) => moduleFolder(folder, use));
  return { folder, modules };
}

function moduleFolder(folder: string, use: string): string {
  const relative = use.replace(/^\.\/?/, "").replace(/\/+$/, "");
  return below(folder, relative);
}

function workspaceTest({ folder, modules }: Workspace) {
  const patterns = modules.map((module) => {
    const relative = relativeTo(folder, module);
    return relative === "" ? "./..." : `./${relative}/...`;
  });
  return command(["go", "test", ...patterns], folder, "all modules of the workspace");
}

function lint(root: string, tree: ProjectTree) {
  const configured = nearestWith(tree, below(root, "go.mod"), ...LINTER_CONFIGURATION);
  if (configured === undefined) return [];
  return [command(["golangci-lint", "run"], root, "golangci-lint is configured")];
}
