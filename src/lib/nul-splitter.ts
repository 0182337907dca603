/** Splits a stream of bytes into fields that each end with a NUL byte. */
export interface NulSplitter {
  /** Takes the next bytes; `chunk` must not change until its fields were used. */
  push(chunk: Uint8Array): void;
  /** What came after the last NUL byte so far. */
  rest(): Buffer;
}

/** @param take is called with each field: the bytes of a buffer from `start` up to `end`. */
export function createNulSplitter(
  take: (data: Buffer, start: number, end: number) => void,
): NulSplitter {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const data = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let start = 0;
      for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, start)) {
        take(data, start, end);
        start = end + 1;
      }
      rest = data.subarray(start);
    },
    rest: () => rest,
  };
}
