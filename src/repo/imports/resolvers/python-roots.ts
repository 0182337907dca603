/** The folders that Python modules are found in. */
import { below, folderOf, isBelow, joinPath } from "../../../lib/slash-path.ts";
import type { TreeIndex } from "../tree-index.ts";
import { readSections, stringsAt } from "./sections.ts";

const PROJECT_FILES = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"];
const TABLES_OF_ROOTS: readonly (readonly [table: string, key: string])[] = [
  ["tool.setuptools.packages.find", "where"],
  ["tool.pytest.ini_options", "pythonpath"],
  ["tool.setuptools", "package-dir"],
  ["tool.setuptools.package-dir", ""],
  ["options.packages.find", "where"],
  ["options", "package_dir"],
  ["tool:pytest", "pythonpath"],
  ["pytest", "pythonpath"],
  ["tool.maturin", "python-source"],
];
/** `package_dir={"": "src"}` and `find_packages("src")` of a setup.py. */
const SETUP_PY =
  /package_dir\s*=\s*\{\s*["']{2}\s*:\s*["']([^"']+)["']|find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?["']([^"']+)["']/g;

export interface PythonRoots {
  readonly all: readonly string[];
  /** The roots of the projects that a folder lies in, the nearest first. */
  above(folder: string): readonly string[];
}

/** A root among strings such as `src`, `"" = src`, `pkg = lib`. */
function rootIn(text: string): string {
  return text
    .replace(/^.*=\s*/, "")
    .replaceAll(/["']/g, "")
    .trim();
}

function configuredRoots(text: string, isPython: boolean): string[] {
  if (isPython) return [...text.matchAll(SETUP_PY)].map((match) => match[1] ?? match[2] ?? "");
  const sections = readSections(text);
  return TABLES_OF_ROOTS.flatMap(([table, key]) => stringsAt(sections, table, key)).map(rootIn);
}

/** The roots that project files name, with those that are usual: `src`, `lib`, the project and the top. */
export function pythonRoots(index: TreeIndex): PythonRoots {
  const roots = new Set<string>();
  for (const name of PROJECT_FILES) {
    for (const path of index.named(name)) {
      const folder = folderOf(path);
      const text = index.tree.manifest(path) ?? "";
      for (const root of configuredRoots(text, name === "setup.py")) {
        const configured = root === "" ? undefined : joinPath(folder, root);
        if (configured !== undefined && index.isFolder(configured)) roots.add(configured);
      }
      for (const root of [below(folder, "src"), below(folder, "lib"), folder]) {
        if (root === folder || index.isFolder(root)) roots.add(root);
      }
    }
  }
  for (const root of ["src", ""]) if (index.isFolder(root)) roots.add(root);
  const all = [...roots];
  const projects = all.toSorted((a, b) => b.length - a.length);
  return {
    all,
    above: (folder) =>
      projects.filter((root) => {
        const project = /(?:^|\/)(?:src|lib)$/.test(root) ? folderOf(root) : root;
        return folder === project || isBelow(folder, project);
      }),
  };
}
