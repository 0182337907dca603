/** A line of a stream, without its newline. */
export interface ByteLine {
  readonly bytes: Buffer;
  /** How many bytes at its end are left out. */
  readonly omitted: number;
}

const NEWLINE = 10;

/**
 * The lines of a stream, as many at a time as have come; the last may lack its newline.
 * Chunks must not change later.
 * @param mostBytes of a line that are kept, whatever its length.
 */
export async function* byteLines(
  source: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<readonly ByteLine[]> {
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
  for await (const chunk of source) {
    const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: ByteLine[] = [];
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      take(data.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    if (start < data.length) take(data.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [finish()];
}
