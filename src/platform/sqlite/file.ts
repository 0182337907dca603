/** The file of a database, before SQLite sees it. */
import { access, constants, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { fileError, isForbidden, systemCode } from "../file-error.ts";
import { databaseReadOnly } from "./failure.ts";

/**
 * Makes the file, readable by its owner alone, and its folder where they are missing. SQLite
 * gives the files that it adds beside it the same mode.
 * @returns whether the database can be written.
 */
export async function prepareFile(path: string): Promise<boolean> {
  await createMissing(path);
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw fileError(error, "read the database", path);
  }
  return (await isWritable(path)) && (await isWritable(dirname(path)));
}

async function createMissing(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await createFile(path);
  } catch (error) {
    throw isForbidden(error) ? databaseReadOnly(path, error) : fileError(error, "create", path);
  }
}

/** Never opens one that exists: closing that descriptor would drop this process's locks on it. */
async function createFile(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw fileError(error, "write", path);
  }
}
