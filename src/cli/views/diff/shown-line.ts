/** Lines of files as a terminal may show them: nothing in them commands it, nothing hides. */
import type { ByteLine } from "../../../lib/byte-lines.ts";
import { visibleName } from "../../../lib/visible-name.ts";

const REPLACEMENT = "\uFFFD";
/** Most lines are so, and stay as they are. */
const PLAIN = /^[\t\u0020-\u007e]*$/;

/** Text without its line end; tabs are kept. */
export interface ShownLine {
  readonly text: string;
  /** Whether it ends as lines do on Windows. */
  readonly hasReturn: boolean;
  /** Bytes at its end that are not in `text`. */
  readonly omitted: number;
}

/** @param from of its bytes on. */
export function shownLine({ bytes, omitted }: ByteLine, from = 0): ShownLine {
  const plain = bytes.toString("latin1", from);
  if (PLAIN.test(plain)) return { text: plain, hasReturn: false, omitted };
  const text = decoded(bytes.subarray(from));
  const hasReturn = omitted === 0 && text.endsWith("\r");
  const content = hasReturn ? text.slice(0, -1) : text;
  return { text: content.split("\t").map(visibleName).join("\t"), hasReturn, omitted };
}

/** Bytes of a line that is not UTF-8 are written out, such as `\xe9`. */
function decoded(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes(REPLACEMENT) || Buffer.from(text).equals(bytes)) return text;
  return bytes
    .toString("latin1")
    .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}
