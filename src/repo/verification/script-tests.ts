import { below, folderOf, nameOf } from "../../lib/slash-path.ts";
import { fileArgument } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, planEach } from "./projects.ts";
import { MAKEFILES, planTaskRunners } from "./task-runners.ts";
import type { Plan, PlannedCommand } from "./types.ts";

/** Tests that are programs in a folder `t`, as in Git and in Perl's packages. */
const TEST = /(?:^|\/)t\/(?:[^/]+\/)*[^/]+\.(?:t|sh)$/;
/** Make pastes the name of its goal into a shell line. */
const PLAIN_GOAL = /^[A-Za-z0-9][\w.-]*$/;

const command = commandsOf("shell");

/** Single test programs of a folder `t`. The suite is run by make. */
export const scriptTests: Ecosystem = {
  name: "shell",
  owns: (path) => TEST.test(path),
  isProjectFile: () => false,
  plan: (work, tree) =>
    planEach({ ...work, sources: [], others: [] }, tree, testFolder, ({ root, tests }) =>
      planFolder(root, tests, tree),
    ),
};

/** The outermost folder `t` of a path. */
function testFolder(path: string): string | undefined {
  return /^(?:.*?\/)?t(?=\/)/.exec(path)?.[0];
}

function planFolder(folder: string, tests: readonly string[], tree: ProjectTree): Plan {
  const above = folderOf(folder);
  const hasMake = (one: string) => MAKEFILES.some((name) => tree.has(below(one, name)));
  const perl = tests.filter((path) => path.endsWith(".t"));
  const shell = tests.filter((path) => path.endsWith(".sh"));
  const goals = shell.filter((path) => hasMake(folder) && canBeGoal(path, folder));
  const whole = [below(above, "t")];
  const { safe, full } = planTaskRunners(whole, whole, tree);
  const fast: readonly PlannedCommand[] = [
    ...(perl.length > 0
      ? [command(["prove", ...perlArguments(perl, above, tree)], above, "the tests")]
      : []),
    ...(shell.length > 0 && hasMake(above)
      ? [command(["make"], above, "builds what they test")]
      : []),
    ...(goals.length > 0 ? [command(["make", ...goals.map(nameOf)], folder, "the tests")] : []),
    ...shell
      .filter((path) => !goals.includes(path))
      .map((path) => command(["sh", `./${relativeTo(folder, path)}`], folder, "the test")),
  ];
  return { fast, safe, full };
}

function perlArguments(
  tests: readonly string[],
  above: string,
  tree: ProjectTree,
): readonly string[] {
  const hasLibrary = tree.some((path) => path.startsWith(below(above, "lib/")));
  const files = tests.map((path) => fileArgument(relativeTo(above, path)));
  return hasLibrary ? ["-l", ...files] : files;
}

function canBeGoal(path: string, folder: string): boolean {
  return folderOf(path) === folder && PLAIN_GOAL.test(nameOf(path));
}
