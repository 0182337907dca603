import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of a test's own, gone when disposed. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly path: string;
  /** A path in the directory. */
  join(...names: string[]): string;
}

/** Makes an empty directory: `await using dir = await tempDir();` */
export async function tempDir(): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "pallium-test-")));
  return {
    path,
    join: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
