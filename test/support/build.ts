import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files below `root`, by relative path. */
export async function writeTree(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await Bun.write(absolute, text);
  }
}
