import { createHash } from "node:crypto";

/** SHA-256 of UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
