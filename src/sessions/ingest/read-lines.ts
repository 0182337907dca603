/** Lines of a transcript from a place in it on, each with where it ends. */
import type { FileBytes } from "../../platform/file-bytes.ts";

export interface TranscriptLine {
  readonly bytes: Buffer;
  /** Offset in the file of what comes after its newline. */
  readonly end: number;
  /** Whether it has a newline: what lacks one may still be written. */
  readonly whole: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
export const NEWLINE = 10;

/**
 * The lines from `offset` to `size`; what is written meanwhile is for the next time. A line of any
 * length comes in one piece. Its bytes are good until the next one is asked for.
 */
export function* readLines(
  file: FileBytes,
  offset: number,
  size: number,
): Generator<TranscriptLine> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let begun: Buffer[] = [];
  let at = offset;
  while (at < size) {
    const got = file.read(chunk.subarray(0, Math.min(CHUNK_BYTES, size - at)), at);
    if (got === 0) break;
    const data = chunk.subarray(0, got);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      const piece = data.subarray(start, end);
      start = end + 1;
      const bytes = begun.length === 0 ? piece : Buffer.concat([...begun, piece]);
      begun = [];
      yield { bytes, end: at + start, whole: true };
    }
    if (start < got) begun.push(Buffer.from(data.subarray(start)));
    at += got;
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), end: at, whole: false };
}
