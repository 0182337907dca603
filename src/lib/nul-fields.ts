import { createNulSplitter } from "./nul-splitter.ts";

/** The fields of a stream that ends each with a NUL byte; the last may lack it. */
export async function* nulFields(output: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let fields: Buffer[] = [];
  const splitter = createNulSplitter((data, start, end) => fields.push(data.subarray(start, end)));
  for await (const chunk of output) {
    splitter.push(chunk);
    yield* fields;
    fields = [];
  }
  if (splitter.rest().length > 0) yield splitter.rest();
}
