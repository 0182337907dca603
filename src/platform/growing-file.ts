/** Reads of a file that another process appends to, and may replace, cut or remove meanwhile. */
import { constants, open } from "node:fs/promises";
import { systemCode } from "./file-error.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Of what is not there, or is no file that this process may read. */
const NO_FILE = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENXIO", "EISDIR", "ENODEV"];

export interface Piece {
  readonly bytes: Buffer;
  /** Bytes that the whole file had when it was read. */
  readonly size: number;
}

/**
 * Up to `limitBytes` bytes of a regular file from an offset on; none where it has not grown so far.
 * @param from counted from the end where it is negative.
 * @returns `undefined` for everything else than a regular file: what is missing, a link, a pipe.
 */
export async function readPiece(
  path: string,
  from: number,
  limitBytes: number,
): Promise<Piece | undefined> {
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const start = from < 0 ? Math.max(0, found.size + from) : from;
    const length = Math.max(0, Math.min(limitBytes, found.size - start));
    if (length === 0) return { bytes: Buffer.alloc(0), size: found.size };
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
    return { bytes: buffer.subarray(0, bytesRead), size: found.size };
  } catch (error) {
    if (NO_FILE.includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}
