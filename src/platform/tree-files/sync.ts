import { open } from "node:fs/promises";
import { fileError, systemCode } from "../file-error.ts";
import { pathBelow } from "./path-below.ts";

const NOTHING_THERE = ["ENOENT", "ENOTDIR"];

/**
 * Brings to the disk which files a folder of a working tree has; nothing where it is missing.
 * @throws PalliumError `io_failed`.
 */
export async function syncFolder(root: string, folder: string): Promise<void> {
  try {
    await using handle = await open(pathBelow(root, folder), "r");
    await handle.sync();
  } catch (error) {
    if (NOTHING_THERE.includes(systemCode(error) ?? "")) return;
    throw fileError(error, "write", `${root}/${folder}`);
  }
}
