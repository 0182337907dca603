import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fileError, systemCode } from "../file-error.ts";
import { pathBelow } from "./path-below.ts";

/** A link, which may lead to itself, is no folder either. */
const NO_FOLDER = ["ENOENT", "ENOTDIR", "ELOOP"];
const FOLDER_ITSELF = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Brings to the disk which files a folder of a working tree has; nothing where there is none.
 * @throws PalliumError `io_failed`.
 */
export async function syncFolder(root: string, folder: string): Promise<void> {
  try {
    await using handle = await open(pathBelow(root, folder), FOLDER_ITSELF);
    await handle.sync();
  } catch (error) {
    if (NO_FOLDER.includes(systemCode(error) ?? "")) return;
    throw fileError(error, "write", `${root}/${folder}`);
  }
}
