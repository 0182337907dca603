/** The fields of a stream that ends each with a NUL byte. */
export async function* nulFields(output: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const data = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let start = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, start)) {
      yield data.subarray(start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield rest;
}
