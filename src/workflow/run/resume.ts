/** Plans the next execution of a stored run: the script as it was claimed last, its arguments, its limits unless told otherwise. */
import { parseJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { settingsFor } from "../settings/in-force.ts";
import { assertNotCollected } from "./collected.ts";
import type { RunLimits } from "./limits.ts";
import { assertNotFromGo, assertPlaceIsHere } from "./origin.ts";
import {
  activeRunLimit,
  assertDepth,
  assertLimits,
  type PlannedRun,
  scriptSource,
} from "./request.ts";
import { requireArtifact, requireRun } from "./store.ts";

export interface ResumeRequest extends RunLimits {
  readonly db?: string;
  readonly id: string;
}

/** @throws PalliumError `run_not_found`, `run_collected` */
export async function planResume(
  powers: WorkflowPowers,
  { warn }: Pick<RunObserver, "warn">,
  database: Database,
  request: ResumeRequest,
): Promise<PlannedRun> {
  assertLimits(request);
  assertDepth(powers.environment.variables, request.max_depth ?? 1);
  const row = requireRun(database, request.id);
  assertNotCollected(row, "resumed");
  assertNotFromGo(row, "resumed");
  await assertPlaceIsHere(row);
  const script = await scriptSource(
    requireArtifact(database, row.script_artifact),
    row.script_name,
  );
  const settings = await settingsFor(powers, row.cwd, warn);
  return {
    db: request.db,
    id: row.id,
    task: row.task,
    cwd: row.cwd,
    script,
    strict: request.strict ?? row.strict === 1,
    args: row.args_json === null ? null : (parseJson(row.args_json) ?? null),
    argsJson: row.args_json,
    limits: {
      ...request,
      allow_network: request.allow_network === true || row.allow_network === 1,
    },
    settings,
    maxActiveRuns: activeRunLimit(powers.environment.variables, settings),
    loopName: row.loop_name,
    ...optional({
      record: row.record_folder ?? undefined,
      replay: row.replay_folder ?? undefined,
    }),
  };
}
