import { below } from "../../lib/slash-path.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { GRADLE_BUILD, isJvmSource, jvmTool, testClasses } from "./jvm.ts";
import { groupBy, nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const SETTINGS = ["settings.gradle", "settings.gradle.kts"];
/** Takes no filter. */
const ALL_PLATFORMS = "allTests";
const ANDROID = /com\.android\.|plugins\.android|android[.-](?:application|library)/;

const command = commandsOf("gradle");

/** Gradle: tasks of the subproject that holds the change, by the wrapper where there is one. */
export const gradle: Ecosystem = {
  name: "gradle",
  owns: (path, tree) =>
    (isJvmSource(path) || path.endsWith(".kts")) && jvmTool(path, tree) === "gradle",
  isProjectFile: (name) => [...GRADLE_BUILD, ...SETTINGS].includes(name),
  plan: (work, tree) =>
    planEach(work, tree, (path) => nearestWith(tree, path, ...GRADLE_BUILD), plan),
};

function plan(project: Project, tree: ProjectTree): Plan {
  const { root, tests } = project;
  const build = nearestWith(tree, below(root, "x"), ...SETTINGS) ?? root;
  const program = tree.has(below(build, "gradlew")) ? "./gradlew" : "gradle";
  const module = relativeTo(build, root).split("/").filter(Boolean);
  const task = (name: string) => [...(module.length === 0 ? [] : ["", ...module]), name].join(":");
  const usual = usualTask(GRADLE_BUILD.map((name) => tree.text(below(root, name))).join("\n"));
  const run = (args: readonly string[], reason: string) =>
    command([program, ...args], build, reason);
  const bySet = groupBy(tests, (path) => taskOf(relativeTo(root, path), usual));
  return {
    fast: [...bySet].map(([name, files]) => {
      const filters = testClasses(files).flatMap((one) => ["--tests", one]);
      const args = name === ALL_PLATFORMS ? [] : filters;
      return run([task(name), ...args], `tests of the source set of ${name}`);
    }),
    safe: [run([task(usual)], "the subproject")],
    full: [run(["build"], "all projects, with their checks")],
  };
}

/** The task that runs unit tests; of a multiplatform project those on the JVM, where it has any. */
function usualTask(build: string): string {
  if (ANDROID.test(build)) return "testDebugUnitTest";
  if (!/\bmultiplatform\b/.test(build)) return "test";
  return /\bjvm\b/.test(build) ? "jvmTest" : ALL_PLATFORMS;
}

/** Tests of `src/<set>/` are run by a task of that name. */
function taskOf(path: string, usual: string): string {
  const set = /^src\/(\w+)\//.exec(path)?.[1];
  const isUsual = set === undefined || set === "test" || set === "commonTest" || !/test/i.test(set);
  return isUsual ? usual : set;
}
