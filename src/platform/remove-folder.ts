import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileError, isForbidden } from "./file-error.ts";

/**
 * Removes a folder and all that is in it; folders that their owner made read-only, as caches do, are
 * opened first. A link is removed, not what it leads to.
 * @throws PalliumError `permission_denied`, `io_failed`.
 */
export async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await remove().catch(async (error) => {
      if (!isForbidden(error)) throw error;
      await openFolders(path);
      await remove();
    });
  } catch (error) {
    throw fileError(error, "remove", path);
  }
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
  }
}
