/** Plans the next execution of a stored run: its own script copy and arguments, its limits unless told otherwise. */
import { parseJson } from "../../lib/json.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { WorkflowPowers } from "../powers.ts";
import {
  activeRunLimit,
  assertDepth,
  assertLimits,
  type PlannedRun,
  type RunLimits,
  readScript,
} from "./request.ts";
import { requireRun } from "./store.ts";

export interface ResumeRequest extends RunLimits {
  readonly db?: string;
  readonly id: string;
}

/** @throws PalliumError `run_not_found`, or `script_not_found` when the run's files are gone. */
export async function planResume(
  powers: WorkflowPowers,
  database: Database,
  request: ResumeRequest,
): Promise<PlannedRun> {
  assertLimits(request);
  assertDepth(powers.environment.variables, request.max_depth ?? 1);
  const row = requireRun(database, request.id);
  const script = await readScript(row.script_path);
  return {
    db: request.db,
    id: row.id,
    task: row.task,
    cwd: row.cwd,
    script: { ...script, name: row.script_name },
    strict: request.strict ?? row.strict === 1,
    args: row.args_json === null ? null : (parseJson(row.args_json) ?? null),
    argsJson: row.args_json,
    limits: {
      ...request,
      allow_network: request.allow_network === true || row.allow_network === 1,
    },
    maxActiveRuns: activeRunLimit(powers.environment.variables),
    loopName: row.loop_name,
  };
}
