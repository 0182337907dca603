/** SHA-256 of UTF-8 text, in hexadecimal; `node:crypto` would take longer to load than any text to hash. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** SHA-256 of bytes that come piece by piece. */
export interface RunningHash {
  update(piece: Uint8Array): void;
  /** In hexadecimal; once, when all has come. */
  hex(): string;
}

export function runningSha256(): RunningHash {
  const hasher = new Bun.CryptoHasher("sha256");
  return {
    update: (piece) => {
      hasher.update(piece);
    },
    hex: () => hasher.digest("hex"),
  };
}

/** A hash of text that is quick and not safe against forgery: 16 hexadecimal digits. */
export function quickHash(text: string): string {
  return Bun.hash(text).toString(16).padStart(16, "0");
}
