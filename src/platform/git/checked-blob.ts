/** Hexadecimal digits of SHA-256; shorter names are SHA-1. */
const SHA256_DIGITS = 64;

/**
 * Hands a content on as it comes, and fails behind its last byte where it is not what its name says:
 * a disk that lost some of it, or a process that was ended on the way.
 * @param blob full hash; `size` of the content in bytes.
 * @param failure is thrown.
 */
export async function* checkedBlob(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { blob, size }: { readonly blob: string; readonly size: number },
  failure: () => Error,
): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher(blob.length === SHA256_DIGITS ? "sha256" : "sha1");
  hasher.update(`blob ${size}\0`);
  for await (const chunk of content) {
    hasher.update(chunk);
    yield chunk;
  }
  if (hasher.digest("hex") !== blob) throw failure();
}
