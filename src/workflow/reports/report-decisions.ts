/** Decisions that belong to a run: its own, and those of its repository that are about its task. */
import { PalliumError } from "../../lib/errors.ts";
import { workingTreeTop } from "../../platform/git/working-tree-top.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { findRepository } from "../../repo/identity.ts";
import type { WorkflowPowers } from "../powers.ts";
import { type DecisionRecord, decisionsOfRun } from "../run/decision-search.ts";
import type { RunRow } from "../run/store.ts";

const MOST_DECISIONS = 5;

export async function reportDecisions(
  powers: WorkflowPowers,
  reader: Reader,
  { id, cwd, task }: RunRow,
): Promise<readonly DecisionRecord[]> {
  const folders = await foldersOf(powers, cwd);
  return decisionsOfRun(reader, { runId: id, folders, text: task }, MOST_DECISIONS);
}

/** The tops of the repository; the folder of the run alone where it is gone, or in no repository. */
async function foldersOf({ git, home }: WorkflowPowers, cwd: string): Promise<readonly string[]> {
  const asNamed = await workingTreeTop(cwd);
  try {
    const { root, canonicalRoot } = await findRepository(git, cwd, home);
    return [...new Set([asNamed, root, canonicalRoot])];
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    return [asNamed];
  }
}
