/** Bytes of files by their place, for files that grow while they are read. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { fileError } from "./file-error.ts";

/** A file that is open for reading. */
export interface FileBytes extends Disposable {
  /** In bytes, when it was opened. */
  readonly size: number;
  /**
   * Reads into `target` from `offset` on.
   * @returns how many bytes there were; fewer than asked for at the end of the file.
   * @throws PalliumError `io_failed`.
   */
  read(target: Uint8Array, offset: number): number;
}

/** @throws PalliumError `permission_denied`, `io_failed`. */
export function openFileBytes(path: string): FileBytes {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw fileError(error, "read", path);
    }
  };
  const descriptor = attempt(() => openSync(path, "r"));
  return {
    size: attempt(() => fstatSync(descriptor).size),
    read: (target, offset) =>
      attempt(() => {
        let got = 0;
        while (got < target.length) {
          const count = readSync(descriptor, target, got, target.length - got, offset + got);
          if (count === 0) break;
          got += count;
        }
        return got;
      }),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/**
 * What a file that Zstandard packed holds, as if it lay there unpacked.
 * @throws PalliumError `permission_denied`, `io_failed`, also where it is no such file.
 */
export async function unpackedBytes(path: string): Promise<FileBytes> {
  try {
    const data = await Bun.zstdDecompress(readFileSync(path));
    return {
      size: data.length,
      read: (target, offset) => data.copy(target, 0, offset, offset + target.length),
      [Symbol.dispose]: () => {},
    };
  } catch (error) {
    throw fileError(error, "unpack", path);
  }
}
