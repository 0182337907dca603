import type { ProjectTree } from "./project-tree.ts";
import type { Plan } from "./types.ts";

/** What there is to verify for one ecosystem. */
export interface Work {
  /** Source files, some of which may be deleted. */
  readonly sources: readonly string[];
  /** Test files to run; all of them exist. */
  readonly tests: readonly string[];
  /** Files that are no source of it but lie in one of its projects, such as manifests and data. */
  readonly others: readonly string[];
}

/** One family of tools that builds and tests code. */
export interface Ecosystem {
  readonly name: string;
  /** Whether a file is source or test of it. */
  owns(path: string, tree: ProjectTree): boolean;
  /** Whether a file of this name makes its folder a project of it. */
  isProjectFile(name: string): boolean;
  plan(work: Work, tree: ProjectTree): Plan;
}
