import { fileArgument } from "./arguments.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { folderOf, inFolder, nameOf, type ProjectTree, relativeTo } from "./project-tree.ts";
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
  const hasMake = (one: string) => MAKEFILES.some((name) => tree.has(inFolder(one, name)));
  const perl = tests.filter((path) => path.endsWith(".t"));
  const shell = tests.filter((path) => path.endsWith(".sh"));
  const options = tree.some((path) => path.startsWith(inFolder(above, "lib/"))) ? ["-l"] : [];
  const local = (path: string) => fileArgument(relativeTo(above, path));
  const runs: readonly PlannedCommand[] = [
    ...(perl.length === 0
      ? []
      : [command(["prove", ...options, ...perl.map(local)], above, "the tests")]),
    ...shell.map((path) => shellTest(folder, path, hasMake(folder))),
  ];
  const build =
    hasMake(above) && shell.length > 0 ? [command(["make"], above, "builds what they test")] : [];
  const whole = [inFolder(above, "t")];
  const { safe, full } = planTaskRunners(whole, whole, tree);
  return { fast: [...build, ...runs], safe, full };
}

/** By the rules of the folder's own makefile where its name can be a goal. */
function shellTest(folder: string, path: string, hasMake: boolean): PlannedCommand {
  const name = nameOf(path);
  if (hasMake && folderOf(path) === folder && PLAIN_GOAL.test(name)) {
    return command(["make", name], folder, "the test");
  }
  return command(["sh", `./${relativeTo(folder, path)}`], folder, "the test");
}
