/** SHA-256 of UTF-8 text, in hexadecimal; `node:crypto` would take longer to load than any text to hash. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
