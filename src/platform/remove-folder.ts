import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { fileError, isForbidden, systemCode } from "./file-error.ts";

const SLASH = Buffer.from("/");

/**
 * Removes a folder and all that is in it; folders that their owner made read-only, as caches do, are
 * opened first. A link is removed, not what it leads to. Somebody else may be removing it too.
 * @throws PalliumError `permission_denied`, `io_failed`.
 */
export async function removeFolder(path: string | Buffer): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await remove().catch(async (error) => {
      if (!isForbidden(error)) throw error;
      await openFolders(Buffer.from(path));
      await remove();
    });
  } catch (error) {
    throw fileError(error, "remove", path.toString());
  }
}

/**
 * Removes all that is in a folder but for one name; nothing where there is no folder.
 * @throws PalliumError `permission_denied`, `io_failed`.
 */
export async function emptyFolder(path: string, keep: string): Promise<void> {
  for (const name of await namesIn(path)) {
    if (name.equals(Buffer.from(keep))) continue;
    await removeFolder(Buffer.concat([Buffer.from(path), SLASH, name]));
  }
}

async function namesIn(path: string): Promise<readonly Buffer[]> {
  try {
    await chmod(path, 0o700);
    return await readdir(path, { encoding: "buffer" });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileError(error, "remove", path);
  }
}

/** Names are bytes: not all of them are text. */
async function openFolders(path: Buffer): Promise<void> {
  try {
    if (!(await lstat(path)).isDirectory()) return;
    await chmod(path, 0o700);
    for (const name of await readdir(path, { encoding: "buffer" })) {
      await openFolders(Buffer.concat([path, SLASH, name]));
    }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
