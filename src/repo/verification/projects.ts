/** What one ecosystem has to verify, project by project. */

import type { Work } from "./ecosystem.ts";
import type { ProjectTree } from "./project-tree.ts";
import type { Plan, PlannedCommand } from "./types.ts";
import { NOTHING, TIERS } from "./types.ts";

/** The part of some work that lies in one project. */
export interface Project extends Work {
  /** Its folder. */
  readonly root: string;
}

/** Splits work by project; files outside of any are left out. */
export function projectsOf(
  work: Work,
  rootOf: (path: string) => string | undefined,
): readonly Project[] {
  const projects = new Map<
    string,
    { root: string; sources: string[]; tests: string[]; others: string[] }
  >();
  for (const kind of ["sources", "tests", "others"] as const) {
    for (const path of work[kind]) {
      const root = rootOf(path);
      if (root === undefined) continue;
      const project = projects.get(root) ?? { root, sources: [], tests: [], others: [] };
      projects.set(root, project);
      project[kind].push(path);
    }
  }
  return [...projects.values()];
}

/** A command of an ecosystem in a folder. */
export type MakeCommand = (argv: readonly string[], cwd: string, reason: string) => PlannedCommand;

/** Makes the commands of one ecosystem. */
export function commandsOf(ecosystem: string): MakeCommand {
  return (argv, cwd, reason) => ({ argv, cwd, reason, ecosystem });
}

/** The commands of several plans, each once. */
export function joinPlans(plans: readonly Plan[]): Plan {
  const joined = { ...NOTHING };
  for (const tier of TIERS) joined[tier] = distinct(plans.flatMap((plan) => plan[tier]));
  return joined;
}

/** Each command once, where it stands first. */
export function distinct(commands: readonly PlannedCommand[]): readonly PlannedCommand[] {
  const seen = new Map<string, PlannedCommand>();
  for (const command of commands) {
    const key = JSON.stringify([command.cwd, command.argv]);
    if (!seen.has(key)) seen.set(key, command);
  }
  return [...seen.values()];
}

/** A broader tier never verifies less than a narrower one. */
export function filledUp({ fast, safe, full }: Plan): Plan {
  const atLeastFast = safe.length > 0 ? safe : fast;
  return { fast, safe: atLeastFast, full: full.length > 0 ? full : atLeastFast };
}

/** Plans every project of some work on its own. */
export function planEach(
  work: Work,
  tree: ProjectTree,
  rootOf: (path: string) => string | undefined,
  plan: (project: Project, tree: ProjectTree) => Plan,
): Plan {
  return joinPlans(projectsOf(work, rootOf).map((project) => filledUp(plan(project, tree))));
}
