import { below, folderOf, upward } from "../../lib/slash-path.ts";
import { languageOf } from "../imports/language.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { nearestWith, type ProjectTree } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import { makeTests } from "./task-runners.ts";
import type { Plan } from "./types.ts";

const CMAKE_TESTS =
  /\b(?:enable_testing|add_test|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)\s*\(|include\s*\(\s*CTest/i;
/** Where builds go; another one where the repository itself has files there. */
const BUILD_FOLDERS = ["build", "build-verify"];

const cmakeCommand = commandsOf("cmake");
const mesonCommand = commandsOf("meson");

function isNative(path: string): boolean {
  return languageOf(path) === "c" || /\.(?:cu|cuh|s|S|asm)$/.test(path);
}

/** C and C++ with CMake: configure, build, `ctest`. */
export const cmake: Ecosystem = {
  name: "cmake",
  owns: (path, tree) => isNative(path) && nearestWith(tree, path, "CMakeLists.txt") !== undefined,
  isProjectFile: (name) => name === "CMakeLists.txt",
  plan: (work, tree) =>
    planEach(work, tree, (path) => topmost(path, "CMakeLists.txt", tree), unlessMake(planCMake)),
};

/** C and C++ with Meson: set up, `meson test`. */
export const meson: Ecosystem = {
  name: "meson",
  owns: (path, tree) => isNative(path) && nearestWith(tree, path, "meson.build") !== undefined,
  isProjectFile: (name) => name === "meson.build",
  plan: (work, tree) =>
    planEach(work, tree, (path) => topmost(path, "meson.build", tree), unlessMake(planMeson)),
};

/** Both list folders below from the one above, so the project is the last in the line of folders that have one. */
function topmost(path: string, name: string, tree: ProjectTree): string | undefined {
  return upward(folderOf(path)).findLast((folder) => tree.has(below(folder, name)));
}

/** A project that make builds and tests as well is not built a second time. */
function unlessMake(plan: typeof planCMake): typeof planCMake {
  return (project, tree) =>
    makeTests(project.root, tree) ? { fast: [], safe: [], full: [] } : plan(project, tree);
}

function buildFolder(root: string, tree: ProjectTree): string {
  const taken = (name: string) => tree.some((path) => path.startsWith(`${below(root, name)}/`));
  return BUILD_FOLDERS.find((name) => !taken(name)) ?? "build-pallium";
}

function planCMake({ root, tests }: Project, tree: ProjectTree): Plan {
  const folder = buildFolder(root, tree);
  const build = [
    cmakeCommand(["cmake", "-S", ".", "-B", folder], root, "configures the build"),
    cmakeCommand(["cmake", "--build", folder], root, "builds all"),
  ];
  const hasTests = tree.folders.some((one) => {
    return CMAKE_TESTS.test(tree.text(below(one, "CMakeLists.txt")) ?? "");
  });
  const test = cmakeCommand(
    ["ctest", "--test-dir", folder, "--output-on-failure"],
    root,
    "all tests",
  );
  const all = hasTests ? [...build, test] : build;
  return { fast: tests.length > 0 ? all : [], safe: all, full: all };
}

function planMeson({ root, tests }: Project, tree: ProjectTree): Plan {
  const folder = buildFolder(root, tree);
  const all = [
    mesonCommand(["meson", "setup", folder], root, "sets up the build"),
    mesonCommand(
      ["meson", "test", "-C", folder, "--print-errorlogs"],
      root,
      "builds and tests all",
    ),
  ];
  return { fast: tests.length > 0 ? all : [], safe: all, full: all };
}
