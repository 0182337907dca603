/** A line of a stream, without its newline. */
export interface ByteLine {
  readonly bytes: Buffer;
  /** How many bytes at its end are left out. */
  readonly omitted: number;
}

/** Splits bytes into lines as they come. */
export interface LineSplitter {
  /** Takes the next bytes, which must not change later. @returns the lines that they end. */
  push(chunk: Uint8Array): readonly ByteLine[];
  /** What came after the last newline, as a line; nothing where nothing did. */
  end(): readonly ByteLine[];
}

const NEWLINE = 10;

/** @param mostBytes of a line that are kept, whatever its length. */
export function createLineSplitter(mostBytes: number): LineSplitter {
  let begun: Buffer[] = [];
  let length = 0;
  let kept = 0;
  const take = (piece: Buffer): void => {
    length += piece.length;
    const room = mostBytes - kept;
    if (room <= 0) return;
    const part = piece.subarray(0, room);
    kept += part.length;
    begun.push(part);
  };
  const finish = (): ByteLine => {
    const [first = Buffer.alloc(0)] = begun;
    const bytes = begun.length > 1 ? Buffer.concat(begun) : first;
    const line = { bytes, omitted: length - kept };
    begun = [];
    length = 0;
    kept = 0;
    return line;
  };
  return {
    push: (chunk) => {
      const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const lines: ByteLine[] = [];
      let start = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
        take(data.subarray(start, end));
        lines.push(finish());
        start = end + 1;
      }
      if (start < data.length) take(data.subarray(start));
      return lines;
    },
    end: () => (length > 0 ? [finish()] : []),
  };
}

/**
 * The lines of a stream, as many at a time as have come; the last may lack its newline.
 * Chunks must not change later.
 * @param mostBytes of a line that are kept, whatever its length.
 */
export async function* byteLines(
  source: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<readonly ByteLine[]> {
  const splitter = createLineSplitter(mostBytes);
  for await (const chunk of source) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}
