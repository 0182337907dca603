import { stat } from "node:fs/promises";
import { systemCode } from "./file-error.ts";

export interface FileStamp {
  readonly bytes: number;
  /** Another one when the file was written or replaced. */
  readonly stamp: string;
  /** When its content was written last, in milliseconds of the epoch. */
  readonly writtenMs: number;
}

/** What tells a file from itself later on; `undefined` where there is none that can be looked at. */
export async function fileStamp(path: string): Promise<FileStamp | undefined> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return {
      bytes: size,
      stamp: [ino, size, mtimeMs, ctimeMs].join(" "),
      writtenMs: mtimeMs,
    };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
