import { below, folderOf } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import { fileArgument } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearest, nearestWith, outermost, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import { hasSection, sectionsOf } from "./sections.ts";
import type { Plan, PlannedCommand } from "./types.ts";

const PROJECT_FILES = [
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "tox.ini",
  "pytest.ini",
  ".pytest.ini",
  "noxfile.py",
  "manage.py",
  "Pipfile",
];
/** Also lies in folders that are no project, such as that of the docs. */
const WEAK_PROJECT_FILE = "requirements.txt";

const command = commandsOf("python");

/** Python: pytest, by the runner of the project's environment. */
export const python: Ecosystem = {
  name: "python",
  owns: (path) => languageOf(path) === "python",
  isProjectFile: (name) => PROJECT_FILES.includes(name) || name === WEAK_PROJECT_FILE,
  plan: (work, tree) => planEach(work, tree, (path) => projectFolder(path, tree), plan),
};

function projectFolder(path: string, tree: ProjectTree): string {
  const strong = nearestWith(tree, path, ...PROJECT_FILES);
  return strong ?? nearestWith(tree, path, WEAK_PROJECT_FILE) ?? "";
}

function plan(project: Project, tree: ProjectTree): Plan {
  const { root, tests } = project;
  const configuration = readConfiguration(root, tree);
  const run = runnerOf(root, tree, configuration);
  const make = (argv: readonly string[], reason: string) =>
    command([...run, ...argv], root, reason);
  if (isDjangoOnly(configuration)) return djangoPlan(project, make);

  const paths = tests
    .filter((path) => !path.includes("::"))
    .map((path) => fileArgument(relativeTo(root, path)));
  const folders = outermost(tests.map(folderOf)).map((folder) => relativeTo(root, folder));
  const near = folders.filter((folder) => folder !== "").map(fileArgument);
  const suite = make(["pytest"], "all tests");
  const lints = usesRuff(root, tree) ? [make(["ruff", "check", "."], "ruff is configured")] : [];
  return {
    fast: paths.length === 0 ? [] : [make(["pytest", ...paths], "the tests")],
    safe: [
      ...(near.length === 0 ? [] : [make(["pytest", ...near], "the tests beside them")]),
      suite,
      ...lints,
    ],
    full: [
      suite,
      ...lints,
      ...typeCommands(configuration, make),
      ...environments(configuration, make, root),
    ],
  };
}

interface Configuration {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** Whether a table of this name is in `pyproject.toml`. */
  tool(name: string): boolean;
}

/** The files that configure a project. */
function readConfiguration(root: string, tree: ProjectTree): Configuration {
  const text = (name: string) => tree.text(below(root, name));
  return {
    has: (name) => tree.has(below(root, name)),
    text,
    tool: (name) => hasSection(text("pyproject.toml"), `tool.${name}`),
  };
}

type Make = (argv: readonly string[], reason: string) => PlannedCommand;

/** What the lock file or the tool's own table says the environment is run by. */
function runnerOf(
  root: string,
  tree: ProjectTree,
  { tool, text }: Configuration,
): readonly string[] {
  const locked = (name: string) => nearestWith(tree, below(root, "x"), name) !== undefined;
  if (locked("uv.lock") || tool("uv")) return ["uv", "run"];
  if (locked("poetry.lock") || tool("poetry")) return ["poetry", "run"];
  if (locked("pdm.lock") || tool("pdm")) return ["pdm", "run"];
  if (locked("Pipfile.lock") || locked("Pipfile")) return ["pipenv", "run"];
  if (tool("hatch.envs") || text("hatch.toml") !== undefined) return ["hatch", "run"];
  return [];
}

function isDjangoOnly({ has, tool, text }: Configuration): boolean {
  if (!has("manage.py")) return false;
  const declared = ["pyproject.toml", "requirements.txt", "tox.ini", "Pipfile", "setup.cfg"];
  const usesPytest = declared.some((name) => /\bpytest\b/.test(text(name) ?? ""));
  return !usesPytest && !has("pytest.ini") && !has("conftest.py") && !tool("pytest");
}

function djangoPlan({ root, tests }: Project, make: Make): Plan {
  const labels = tests
    .map((path) => relativeTo(root, path).replace(/\.py$/, "").replaceAll("/", "."))
    .filter((label) => /^[A-Za-z_][\w.]*$/.test(label));
  const suite = make(["python", "manage.py", "test"], "all tests");
  return {
    fast:
      labels.length === 0
        ? []
        : [make(["python", "manage.py", "test", ...labels], "the tests, as modules")],
    safe: [suite],
    full: [suite, make(["python", "manage.py", "check"], "Django's own checks")],
  };
}

/** Ruff takes its settings from the folders above too. */
function usesRuff(root: string, tree: ProjectTree): boolean {
  const configured = nearest(below(root, "x"), (folder) => {
    const { has, tool } = readConfiguration(folder, tree);
    return tool("ruff") || has("ruff.toml") || has(".ruff.toml");
  });
  return configured !== undefined;
}

function typeCommands(configuration: Configuration, make: Make): readonly PlannedCommand[] {
  const { tool, has, text } = configuration;
  const mypy = mypySection(configuration);
  const pyright = tool("pyright") || tool("basedpyright") || has("pyrightconfig.json");
  const namesFiles = mypy?.values.has("files") || mypy?.values.has("packages");
  const based = tool("basedpyright") || /\bbasedpyright\b/.test(text("pyproject.toml") ?? "");
  return [
    ...(mypy === undefined
      ? []
      : [make(namesFiles ? ["mypy"] : ["mypy", "."], "mypy is configured")]),
    ...(pyright ? [make([based ? "basedpyright" : "pyright"], "pyright is configured")] : []),
  ];
}

function mypySection({ text }: Configuration) {
  const files: readonly (readonly [string, string])[] = [
    ["pyproject.toml", "tool.mypy"],
    ["mypy.ini", "mypy"],
    [".mypy.ini", "mypy"],
    ["setup.cfg", "mypy"],
  ];
  return files
    .flatMap(([name, section]) => sectionsOf(text(name)).filter((one) => one.name === section))
    .at(0);
}

/** Tools that make environments of their own, run by the project's where they are installed in that. */
function environments(
  { has, text, tool }: Configuration,
  make: Make,
  root: string,
): readonly PlannedCommand[] {
  const tox =
    hasSection(text("tox.ini"), "tox") ||
    sectionsOf(text("tox.ini")).some(({ name }) => name.startsWith("testenv")) ||
    hasSection(text("setup.cfg"), "tox:tox") ||
    tool("tox");
  const run = (program: string, reason: string) => {
    const declared = new RegExp(`["']${program}\\b|^${program}\\b.*=`, "m");
    const isDeclared = declared.test(text("pyproject.toml") ?? "");
    return isDeclared ? make([program], reason) : command([program], root, reason);
  };
  return [
    ...(tox ? [run("tox", "tox is configured")] : []),
    ...(has("noxfile.py") ? [run("nox", "there is a noxfile.py")] : []),
  ];
}
