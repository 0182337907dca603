import { lstatSync, type Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileError, isForbidden, systemCode } from "./file-error.ts";

const SLASH = Buffer.from("/");
/** Of what somebody removes while it is measured. */
const NOTHING_THERE = ["ENOENT", "ENOTDIR"];

/**
 * Bytes of all files below a folder; 0 where there is none. Links are neither followed nor counted,
 * and what may not be looked at counts as nothing.
 * @throws PalliumError `io_failed`.
 */
export async function folderSize(path: string): Promise<number> {
  let bytes = 0;
  const folders = [Buffer.from(path)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of await namesIn(folder)) {
      const entry = Buffer.concat([folder, SLASH, name]);
      const stat = statOf(entry);
      if (stat?.isDirectory() === true) folders.push(entry);
      else if (stat?.isFile() === true) bytes += stat.size;
    }
  }
  return bytes;
}

async function namesIn(folder: Buffer): Promise<readonly Buffer[]> {
  try {
    return await readdir(folder, { encoding: "buffer" });
  } catch (error) {
    return nothing(error, folder) ?? [];
  }
}

function statOf(entry: Buffer): Stats | undefined {
  try {
    return lstatSync(entry);
  } catch (error) {
    return nothing(error, entry);
  }
}

/** @throws PalliumError `io_failed` for what is more than missing or closed to us. */
function nothing(error: unknown, path: Buffer): undefined {
  if (NOTHING_THERE.includes(systemCode(error) ?? "") || isForbidden(error)) return undefined;
  throw fileError(error, "look at", path.toString());
}
