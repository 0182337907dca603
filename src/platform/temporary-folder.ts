import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "./file-error.ts";

/** A folder for its owner alone, removed with all that is in it: `await using folder = …`. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/** @throws PalliumError `disk_full`, `permission_denied`, `io_failed`. */
export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const template = join(tmpdir(), prefix);
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
