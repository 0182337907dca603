/** What the workflow domain offers to whoever wants to know what a script does before it costs anything. */
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { WithStore } from "../with-store.ts";
import { checkDeterminism, type Determinism, type DeterminismRequest } from "./determinism.ts";
import { type DryRun, dryRun } from "./dry-run.ts";
import type { RehearsalRequest } from "./rehearsed-run.ts";

export interface RehearsalOperations {
  dryRun(request: RehearsalRequest, observer: RunObserver): Promise<DryRun>;
  checkDeterminism(request: DeterminismRequest, observer: RunObserver): Promise<Determinism>;
}

export function rehearsalOperations(
  powers: WorkflowPowers,
  withStore: WithStore,
): RehearsalOperations {
  return {
    checkDeterminism: (request, observer) =>
      withStore(request.db, (database) => checkDeterminism(powers, database, request, observer)),
    dryRun: (request, observer) =>
      withStore(request.db, (database) => dryRun(powers, database, request, observer)),
  };
}
