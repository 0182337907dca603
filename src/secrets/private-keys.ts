/** Private keys, whole ones and ones whose end is missing. */
import type { Match } from "./finding.ts";
import { entropy } from "./value.ts";

const BEGIN = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: \d+/g;
/** More than the longest key in use, in characters. */
const LONGEST = 16_000;
const SHORTEST_BODY = 40;
/** Line ends and what a programming language puts around lines, as they are or escaped. */
const BETWEEN = /\\+[nrt]|[\s"'`+,;\\]/g;
const HEADERS = /(?:^|\n|\\n)[A-Za-z-]+: [^\n\\]*/g;
/** Base64 of random bytes has about 5.9 bits, English text in it less than 5. */
const LEAST_ENTROPY = 4.5;

export function findPrivateKeys(text: string): readonly Match[] {
  return [...text.matchAll(BEGIN)].flatMap((begin) => {
    const from = begin.index + begin[0].length;
    const rest = text.slice(from, from + LONGEST);
    const end = rest.search(/-----|Private-MAC/);
    const body = end === -1 ? rest : rest.slice(0, end);
    if (!isKey(body)) return [];
    return [{ rule: "private-key", start: begin.index, end: from + bodyLength(body, end) }];
  });
}

function isKey(body: string): boolean {
  const joined = body.replace(HEADERS, "").replace(BETWEEN, "");
  const base64 = /^[A-Za-z0-9/=]*/.exec(joined)?.[0] ?? "";
  const isCut = /^(?:\.\.|…|<|\[|\*|\$)/.test(joined.slice(base64.length));
  return base64.length >= SHORTEST_BODY && !isCut && entropy(base64) >= LEAST_ENTROPY;
}

/** Without an end the key is taken to reach as far as its lines look like it. */
function bodyLength(body: string, end: number): number {
  if (end !== -1) return end;
  return /^(?:\\+[nrt]|[\s"'`+,;\\A-Za-z0-9/=])*/.exec(body)?.[0].length ?? 0;
}
