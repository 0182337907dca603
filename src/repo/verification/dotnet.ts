import { below, folderOf, nameOf, stemOf, upward } from "../../lib/slash-path.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearest, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const PROJECT = /\.(?:csproj|fsproj|vbproj)$/;
const SOLUTION = /\.slnx?$/;
const TEST_PROJECT = /Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true|MSTest\.Sdk|TUnit/i;
const REFERENCE = /<ProjectReference\s[^>]*Include\s*=\s*"([^"]+)"/g;
const CLASS_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const command = commandsOf("dotnet");

/** .NET: `dotnet test` of test projects; those that refer to a project test it. */
export const dotnet: Ecosystem = {
  name: "dotnet",
  owns: (path) => /\.(?:cs|fs|vb|razor|cshtml)$/.test(path),
  isProjectFile: (name) => PROJECT.test(name) || SOLUTION.test(name),
  plan: (work, tree) => planEach(work, tree, (path) => projectFile(path, tree), plan),
};

/** The project file that holds a file, or the solution above it. */
function projectFile(path: string, tree: ProjectTree): string | undefined {
  const folder = nearest(path, (one) => manifestIn(one, PROJECT, tree) !== undefined);
  if (folder !== undefined) return manifestIn(folder, PROJECT, tree);
  return solutionAbove(path, tree);
}

function manifestIn(folder: string, pattern: RegExp, tree: ProjectTree): string | undefined {
  const name = tree.manifestsIn(folder).find((one) => pattern.test(one));
  return name === undefined ? undefined : below(folder, name);
}

function solutionAbove(path: string, tree: ProjectTree): string | undefined {
  for (const folder of upward(folderOf(path))) {
    const solution = manifestIn(folder, SOLUTION, tree);
    if (solution !== undefined) return solution;
  }
  return undefined;
}

function plan({ root: file, tests }: Project, tree: ProjectTree): Plan {
  const solution = solutionAbove(file, tree);
  const cwd = solution === undefined ? folderOf(file) : folderOf(solution);
  const test = (project: string, args: readonly string[], reason: string) =>
    command(["dotnet", "test", `./${relativeTo(cwd, project)}`, ...args], cwd, reason);
  const projects = isTestProject(file, tree) ? [file] : testProjectsOf(file, tree);
  const all = test(solution ?? file, [], "all test projects");
  const names = [...new Set(tests.map(stemOf))].filter((name) => CLASS_NAME.test(name));
  const filter = names.map((name) => `FullyQualifiedName~${name}`).join("|");
  return {
    fast: filter === "" ? [] : [test(file, ["--filter", filter], "the tests")],
    safe: projects.length === 0 ? [all] : projects.map((one) => test(one, [], nameOf(one))),
    full: [all],
  };
}

function isTestProject(path: string, tree: ProjectTree): boolean {
  return !/benchmark|performance/i.test(nameOf(path)) && TEST_PROJECT.test(tree.text(path) ?? "");
}

function testProjectsOf(file: string, tree: ProjectTree): readonly string[] {
  return tree.folders.flatMap((folder) =>
    tree
      .manifestsIn(folder)
      .filter((name) => PROJECT.test(name))
      .map((name) => below(folder, name))
      .filter((path) => isTestProject(path, tree) && references(path, tree).includes(file)),
  );
}

function references(path: string, tree: ProjectTree): readonly string[] {
  const includes = [...(tree.text(path) ?? "").matchAll(REFERENCE)].map((match) => match[1] ?? "");
  return includes.map((include) => resolved(folderOf(path), include.replaceAll("\\", "/")));
}

function resolved(folder: string, relative: string): string {
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of relative.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
