/** Reads the files that were changed and not committed. */
import { join } from "node:path";
import { isQuoted } from "../../lib/git-path.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import { readRegularFile } from "../../platform/bounded-read.ts";
import type { WorkingChange } from "../working-tree.ts";
import { isKeptText } from "./kept-text.ts";
import { type ScannedFile, SIZE_LIMIT, scanFile } from "./scan-file.ts";

/** Of more changed files than this only so many are read; the others count as they were. */
const MOST_READ = 500;
/** Bounds the memory that the contents take, which are dropped once they are looked at. */
const READ_AT_ONCE = 16;

interface ChangedFile extends ScannedFile {
  /** All of it, where it is kept. */
  readonly text?: string;
}

/** What is there of each changed file, by path. */
export type ChangedFiles = ReadonlyMap<string, ChangedFile>;

/** @param root top of the working tree. */
export async function readChanged(
  root: string,
  changes: readonly WorkingChange[],
): Promise<ChangedFiles> {
  const present = changes.filter(({ path, status }) => !status.includes("D") && !isQuoted(path));
  const slots = createSemaphore(READ_AT_ONCE);
  const entries = present.slice(0, MOST_READ).map(async ({ path }) => {
    const release = await slots.acquire();
    try {
      const content = await readRegularFile(join(root, path), SIZE_LIMIT);
      return [path, content === undefined ? { lines: 0 } : changedFile(path, content)] as const;
    } finally {
      release();
    }
  });
  return new Map(await Promise.all(entries));
}

function changedFile(path: string, content: Buffer): ChangedFile {
  const scanned = scanFile(path, content);
  return isKeptText(path) ? { ...scanned, text: content.toString("utf8") } : scanned;
}
