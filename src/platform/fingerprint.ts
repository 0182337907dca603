import { lstat, readlink } from "node:fs/promises";
import { systemCode } from "./file-error.ts";

/** Of larger files size and time of the last change stand for the content. In bytes. */
const HASHED_BYTES = 16 * 1024 * 1024;

/**
 * A text that is equal for equal contents of a path: a hash of the file, the target of a link. What
 * is missing, unreadable or neither has a text of its own.
 */
export async function fingerprint(path: string): Promise<string> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return `link ${await readlink(path)}`;
    if (!found.isFile()) return found.isDirectory() ? "folder" : "special";
    if (found.size > HASHED_BYTES) return `large ${found.size} ${found.mtimeMs}`;
    const hasher = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
    return hasher.digest("hex");
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return `none ${code}`;
  }
}
