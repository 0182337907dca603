/** Make, just and Task: the goals with the usual names. */

import { below, folderOf } from "../../lib/slash-path.ts";
import { justGoals, makeGoals, taskGoals } from "./goals.ts";
import { nearest, type ProjectTree, relativeTo } from "./project-tree.ts";
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
  const commandsFor = createCommandsFor(tree);
  const safe = foldersOf(untested).flatMap((folder) => {
    const tests = commandsFor(folder, TEST_GOALS);
    return tests.length > 0 ? tests : commandsFor(folder, ["check"]);
  });
  return {
    fast: [],
    safe: distinct(safe),
    full: distinct(foldersOf(paths).flatMap((folder) => commandsFor(folder, FULL_GOALS))),
  };
}

/** A rule for one of the goals that test, alone or beside others; no variable of that name. */
const TEST_RULE = /^(?:[\w./-]+[ \t]+)*(?:tests?|check)(?:[ \t]+[\w./-]+)*[ \t]*::?(?![:=])/m;

/** Whether the makefile of a folder itself tests. */
export function makeTests(folder: string, tree: ProjectTree): boolean {
  return TEST_RULE.test(makefile(folder, tree) ?? "");
}

/**
 * Leaves out what another command runs anyway: the makefile above says `$(MAKE) -C folder` and has
 * the same goal.
 */
export function withoutRecursion(
  commands: readonly PlannedCommand[],
  tree: ProjectTree,
): readonly PlannedCommand[] {
  const isRunBy = ({ argv, cwd }: PlannedCommand, above: PlannedCommand) => {
    const isAbove = above.cwd === "" ? cwd !== "" : cwd.startsWith(`${above.cwd}/`);
    if (!isAbove || above.ecosystem !== "make" || argv.join(" ") !== above.argv.join(" "))
      return false;
    const folder = RegExp.escape(relativeTo(above.cwd, cwd));
    return new RegExp(`\\s-C\\s*${folder}/?(?:\\s|$)`, "m").test(makefile(above.cwd, tree) ?? "");
  };
  return commands.filter((command) => !commands.some((above) => isRunBy(command, above)));
}

function makefile(folder: string, tree: ProjectTree): string | undefined {
  const file = MAKEFILES.map((name) => below(folder, name)).find((path) => tree.has(path));
  return file === undefined ? undefined : tree.text(file);
}

function foldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(folderOf))];
}

type CommandsFor = (folder: string, names: readonly string[]) => readonly PlannedCommand[];

/** Goals of some names, of the nearest file above a folder that has any of them, for each runner. */
function createCommandsFor(tree: ProjectTree): CommandsFor {
  const goalsIn = createGoals(tree);
  return (start, names) =>
    RUNNERS.flatMap((runner) => {
      const wanted = (folder: string) => {
        const goals = goalsIn(folder, runner);
        return names.filter((name) => goals.has(name));
      };
      const folder = nearest(below(start, "x"), (one) => wanted(one).length > 0);
      if (folder === undefined) return [];
      const command = commandsOf(runner.name);
      return wanted(folder).map((name) =>
        command([runner.name, name], folder, `${runner.name} has a goal "${name}"`),
      );
    });
}

/** Reads each file once: makefiles can be long. */
function createGoals(tree: ProjectTree) {
  const known = new Map<string, ReadonlySet<string>>();
  return (folder: string, { files, goals }: Runner): ReadonlySet<string> => {
    const file = files.map((name) => below(folder, name)).find((path) => tree.has(path));
    if (file === undefined) return new Set();
    const found = known.get(file) ?? goals(tree.text(file) ?? "");
    known.set(file, found);
    return found;
  };
}
