/** The bytes that zlib packed; `undefined` where it did not, or where they are more than `most`. */
export function inflate(packed: Uint8Array, most: number): Uint8Array | undefined {
  // Loaded when it is needed: few patches have anything packed, and it takes as long as a small one.
  const { inflateSync } = process.getBuiltinModule("node:zlib");
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
