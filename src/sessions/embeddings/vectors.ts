/** Vectors: how near two are, and how they are stored. */

/** From -1 to 1; -1 where they are of different lengths, or one has none. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return -1;
  let product = 0;
  let normA = 0;
  let normB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    product += x * y;
    normA += x * x;
    normB += y * y;
  }
  return normA === 0 || normB === 0 ? -1 : product / Math.sqrt(normA * normB);
}

/** Four bytes a number, the lowest first, as every processor that Bun runs on has them. */
export function vectorBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function readVector(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = byteOffsetFits(bytes) ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, Math.floor(byteLength / 4));
}

function byteOffsetFits({ byteOffset }: Uint8Array): boolean {
  return byteOffset % Float32Array.BYTES_PER_ELEMENT === 0;
}
