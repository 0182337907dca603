/** `workflow library install`: a pack becomes a saved workflow. */
import type { WorkflowPowers } from "../powers.ts";
import { workingDirectory } from "../run/request.ts";
import { packOf, type WorkflowPack } from "./packs/catalogue.ts";
import { workflowFile, writeWorkflow } from "./workflow-file.ts";

export interface InstallRequest {
  readonly pack: string;
  /** Name to save it under; its own without. */
  readonly name?: string;
  readonly cwd?: string;
  /** Overwrite a saved workflow of that name. */
  readonly force?: boolean;
}

export interface InstalledPack {
  readonly pack: WorkflowPack;
  /** Absolute. */
  readonly path: string;
  /** Name of the saved workflow. */
  readonly workflow: string;
  readonly installed: true;
}

/** @throws PalliumError `pack_not_found`, `invalid_id`, `cwd_not_found`, `workflow_exists` */
export async function installPack(
  powers: WorkflowPowers,
  { pack: packName, name, cwd, force }: InstallRequest,
): Promise<InstalledPack> {
  const { script, ...pack } = packOf(packName);
  const folder = await workingDirectory(powers, cwd);
  const { name: workflow, path } = workflowFile(folder, name ?? pack.installs_as);
  await writeWorkflow(path, script, { what: `workflow "${workflow}"`, force: force === true });
  return { pack, path, workflow, installed: true };
}
