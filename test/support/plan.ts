/** Plans over repositories that are a table of file names and texts. */
import { displayPlan } from "../../src/repo/verification/display.ts";
import { planVerification } from "../../src/repo/verification/plan.ts";
import type { Plan } from "../../src/repo/verification/types.ts";

export type Files = Readonly<Record<string, string>>;

/** A repository with files of these names that are empty, and these texts. */
export function files(names: string, texts: Files = {}): Files {
  const empty = names.split(/\s+/).filter((name) => name !== "");
  return { ...Object.fromEntries(empty.map((name) => [name, ""])), ...texts };
}

export function planOf(
  repository: Files,
  targets: readonly string[],
  tests: readonly string[] = [],
): Plan {
  return planVerification({
    targets,
    tests,
    paths: new Set(Object.keys(repository)),
    manifest: (path) => repository[path],
  });
}

/** The same, as a user reads it. */
export function shown(repository: Files, targets: readonly string[], tests?: readonly string[]) {
  return displayPlan(planOf(repository, targets, tests));
}
