/** The folder that holds what pallium keeps about a repository. */
import { join } from "node:path";
import { ensurePrivateDir, isFile, writeFileDurable } from "../platform/files.ts";

/** Everything is hidden from git but saved workflows and settings, which belong to the repository. */
const IGNORE = "*\n!/config.json\n!/workflows/\n!/workflows/**\n";

/**
 * Makes the folder, for its owner alone, and has git ignore it. A folder, or an ignore file, that
 * is there already is left as it is.
 * @param folder absolute.
 * @throws PalliumError `permission_denied`, `disk_full`, `io_failed`.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
  await ensurePrivateDir(folder);
  const path = join(folder, ".gitignore");
  if (!(await isFile(path))) await writeFileDurable(path, IGNORE);
}
