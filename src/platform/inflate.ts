import { inflateSync } from "node:zlib";

/** The bytes that zlib packed; `undefined` where it did not, or where they are more than `most`. */
export function inflate(packed: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
