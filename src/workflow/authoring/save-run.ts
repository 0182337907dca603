/** `workflow save`: the script of a run becomes a saved workflow. */
import { PalliumError, usageError } from "../../lib/errors.ts";
import { isDirectory } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { WorkflowPowers } from "../powers.ts";
import { assertNotCollected } from "../run/collected.ts";
import { readScriptText } from "../run/request.ts";
import { requireRun } from "../run/store.ts";
import { workflowFile, writeWorkflow } from "./workflow-file.ts";

export interface SaveRequest {
  readonly id: string;
  readonly name: string;
  /** Save it at home instead of in the directory of the run. */
  readonly user?: boolean;
  /** Overwrite a saved workflow of that name. */
  readonly force?: boolean;
}

/** @throws PalliumError `usage`, `invalid_id`, `run_not_found`, `run_collected`, `cwd_not_found`, `workflow_exists` */
export async function saveRun(
  { environment }: WorkflowPowers,
  database: Database,
  { id, name, user, force }: SaveRequest,
): Promise<{ readonly path: string }> {
  if (name.trim() === "") {
    throw usageError(
      "workflow save requires --name",
      `such as: pallium workflow save ${id} --name my-review`,
    );
  }
  const run = requireRun(database, id);
  assertNotCollected(run, "saved");
  const target = workflowFile(user === true ? environment.home : run.cwd, name);
  if (user !== true && !(await isDirectory(run.cwd))) {
    throw new PalliumError("cwd_not_found", `the directory of the run is gone: ${run.cwd}`, {
      hints: ["save it at home instead: --user"],
    });
  }
  const script = await readScriptText(run.script_path);
  const what = `workflow "${target.name}"`;
  await writeWorkflow(target.path, script, { what, force: force === true });
  return { path: target.path };
}
