/** Saved workflows: scripts found by name in a repository or in the home directory. */
import { dirname, join, sep } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { assertId } from "../../lib/valid-id.ts";
import { isFile, listFiles } from "../../platform/files.ts";

const FOLDERS = [join(".pallium", "workflows"), join(".claude", "workflows")];

export interface SavedPlaces {
  readonly cwd: string;
  readonly repositoryTop: string | undefined;
  readonly home: string;
}

/**
 * Finds a saved workflow: from `cwd` up to the top of its repository (without one, in `cwd` alone),
 * then at home. It never looks further up: a script planted in a shared parent is not ours to run.
 * @throws PalliumError `invalid_id` or `workflow_not_found`
 */
export async function findSavedWorkflow(name: string, where: SavedPlaces): Promise<string> {
  const id = savedWorkflowId(name);
  const roots = rootsOf(where);
  for (const root of roots) {
    for (const folder of FOLDERS) {
      const path = join(root, folder, `${id}.js`);
      if (await isFile(path)) return path;
    }
  }
  throw new PalliumError("workflow_not_found", `saved workflow "${id}" not found`, {
    hints: [`looked for ${id}.js in ${FOLDERS.join(" and ")} of ${roots.join(", ")}`],
  });
}

/**
 * The name without what people put around it: a `/` in front, `.js` behind.
 * @throws PalliumError `invalid_id`
 */
export function savedWorkflowId(name: string): string {
  const id = name.trim().replace(/^\//, "").replace(/\.js$/, "");
  assertId(id, "workflow name");
  return id;
}

/** The names that `findSavedWorkflow` would find, in the order of the alphabet. */
export async function savedWorkflowNames(where: SavedPlaces): Promise<readonly string[]> {
  const folders = rootsOf(where).flatMap((root) => FOLDERS.map((folder) => join(root, folder)));
  const files = await Promise.all(folders.map(listFiles));
  const names = files.flat().flatMap((file) => /^(.+)\.js$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

function rootsOf({ cwd, repositoryTop, home }: SavedPlaces): readonly string[] {
  return [...ancestors(cwd, repositoryTop ?? cwd), ...(home === "" ? [] : [home])];
}

/** `from` and its parents up to `top`; `from` alone where it is not below `top`. */
function* ancestors(from: string, top: string): Generator<string> {
  yield from;
  if (!from.startsWith(top + sep)) return;
  for (let directory = from; directory !== top; ) {
    directory = dirname(directory);
    yield directory;
  }
}
