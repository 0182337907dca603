/** Where workflows are saved, and how a script gets there without taking the place of another unasked. */
import { dirname, join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { ensurePrivateDir, exists, writeFileDurable } from "../../platform/files.ts";
import { savedWorkflowId } from "./saved.ts";

/** Saved workflows are source: others of the repository may read them. */
const SOURCE_MODE = 0o644;

/**
 * The file of a saved workflow below a folder: the repository, or the home directory.
 * @throws PalliumError `invalid_id`, so that no name leads out of the folder; `no_home`
 */
export function workflowFile(folder: string, name: string): { name: string; path: string } {
  const id = savedWorkflowId(name);
  if (folder === "") {
    throw new PalliumError("no_home", "there is no home directory to save workflows in", {
      hints: ["set HOME, or leave --user out to save it in the repository"],
    });
  }
  return { name: id, path: join(folder, ".pallium", "workflows", `${id}.js`) };
}

/**
 * Writes a script, making its folder.
 * @param what names it in the message, such as `workflow "fix"`.
 * @throws PalliumError `workflow_exists` where something is there already, unless `force` is set.
 */
export async function writeWorkflow(
  path: string,
  script: string,
  { what, force }: { readonly what: string; readonly force: boolean },
): Promise<void> {
  await assertFree(path, { what, force });
  await ensurePrivateDir(dirname(path));
  await writeFileDurable(path, script, SOURCE_MODE);
}

/** The same refusal, before anything was paid for. */
export async function assertFree(
  path: string,
  { what, force }: { readonly what: string; readonly force: boolean },
): Promise<void> {
  if (force || !(await exists(path))) return;
  throw new PalliumError(
    "workflow_exists",
    `${what} already exists at ${path}; pass --force to overwrite`,
    { hints: ["choose another name, or look at what is there first"] },
  );
}
