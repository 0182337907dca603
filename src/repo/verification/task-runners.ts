/** Make, just and Task: the goals with the usual names. */
import { justGoals, makeGoals, taskGoals } from "./goals.ts";
import { inFolder, nearest, type ProjectTree } from "./project-tree.ts";
import { commandsOf, distinct } from "./projects.ts";
import type { Plan, PlannedCommand } from "./types.ts";

/** In the order in which GNU make looks for them. */
export const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

const TEST_GOALS = ["test", "tests"];
const FULL_GOALS = [...TEST_GOALS, "lint", "typecheck", "check", "build"];

interface Runner {
  readonly name: string;
  readonly files: readonly string[];
  goals(text: string): ReadonlySet<string>;
}

const RUNNERS: readonly Runner[] = [
  { name: "make", files: MAKEFILES, goals: makeGoals },
  { name: "just", files: ["justfile", "Justfile", ".justfile"], goals: justGoals },
  {
    name: "task",
    files: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"],
    goals: taskGoals,
  },
];

/**
 * The usual goals of the nearest files above these paths.
 * @param untested those of them that nothing else has a test command for: they get the tests, or
 *   where there are none the checks, in `safe` too.
 */
export function planTaskRunners(
  paths: readonly string[],
  untested: readonly string[],
  tree: ProjectTree,
): Plan {
  const safe = untested.flatMap((path) => {
    const tests = commandsFor(path, TEST_GOALS, tree);
    return tests.length > 0 ? tests : commandsFor(path, ["check"], tree);
  });
  return {
    fast: [],
    safe: distinct(safe),
    full: distinct(paths.flatMap((path) => commandsFor(path, FULL_GOALS, tree))),
  };
}

/** Goals of these names, of the nearest file that has any of them, for each runner. */
function commandsFor(
  path: string,
  names: readonly string[],
  tree: ProjectTree,
): readonly PlannedCommand[] {
  return RUNNERS.flatMap((runner) => {
    const wanted = (folder: string) =>
      names.filter((name) => goalsIn(folder, runner, tree).has(name));
    const folder = nearest(path, (one) => wanted(one).length > 0);
    if (folder === undefined) return [];
    const command = commandsOf(runner.name);
    return wanted(folder).map((name) =>
      command([runner.name, name], folder, `${runner.name} has a goal "${name}"`),
    );
  });
}

function goalsIn(folder: string, { files, goals }: Runner, tree: ProjectTree): ReadonlySet<string> {
  const file = files.map((name) => inFolder(folder, name)).find((path) => tree.has(path));
  return goals(file === undefined ? "" : (tree.text(file) ?? ""));
}
