import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { fileError } from "./file-error.ts";

/** A folder for its owner alone, removed with all that is in it: `await using folder = …`. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/**
 * @param prefix how its path begins; a relative one lies in the system's folder for such things.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`.
 */
export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const template = resolve(tmpdir(), prefix);
  try {
    const path = await mkdtemp(template);
    return {
      path,
      [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
    };
  } catch (error) {
    throw fileError(error, "make the directory", template);
  }
}
