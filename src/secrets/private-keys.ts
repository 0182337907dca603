/** Private keys, whole ones and ones whose beginning or end is missing. */
import type { Match } from "./finding.ts";
import { entropy, isStandIn } from "./value.ts";

const BEGIN =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|\bPrivate-Lines: \d+/g;
const END = /^[ \t"'`+#*>|/]{0,20}-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/gm;
const WHERE_IT_ENDS = /----|Private-/;
/** More than the longest key in use, in characters. */
const LONGEST = 16_000;
const LONGEST_LINE = 200;
const SHORTEST_BODY = 40;
/** Line ends and what a programming language puts around lines, as they are or escaped. */
const BETWEEN = /\\+[nrt]?|[\s"'`+,;]/g;
/** What comments and quotations have before their lines. */
const LINE_START = /(\n|\\n)[ \t]*(?:#+|\/\/|\*|>|--|\|)[ \t]?/g;
const HEADER = /^[A-Za-z-]+: /;
const HEADERS = /(?:^|\n|\\n)[A-Za-z-]+: [^\n\\]*/g;
const KEY_LINE = /^[\s"'`+#*>|/-]*([A-Za-z0-9+/]{16,}={0,2})(?:\\+[nr])*[\s"'`+,;\\]*$/;
/** Base64 of random bytes has about 5.9 bits, English text in it less than 5. */
const LEAST_ENTROPY = 4.5;
/** Of a key in JSON (RFC 7517): its kind, and the number that must not be known. */
const KEY_TYPE = /["']kty["']/g;
const SECRET_NUMBER = /["']d["']\s{0,10}:\s{0,10}["']([A-Za-z0-9_-]{40,700})["']/g;
const JSON_KEY_LENGTH = 4000;

export function findPrivateKeys(text: string): readonly Match[] {
  return [...keysWithBeginning(text), ...keysWithoutBeginning(text), ...jsonKeys(text)];
}

function keysWithBeginning(text: string): readonly Match[] {
  return [...text.matchAll(BEGIN)].flatMap((begin) => {
    const from = begin.index + begin[0].length;
    const rest = text.slice(from, from + LONGEST);
    const end = rest.search(WHERE_IT_ENDS);
    const body = end === -1 ? keyLines(rest) : rest.slice(0, end);
    return isKey(body) ? [match(begin.index, from + body.length)] : [];
  });
}

function match(start: number, end: number): Match {
  return { rule: "private-key", start, end };
}

function isKey(body: string): boolean {
  const joined = body.replace(LINE_START, "$1").replace(HEADERS, "").replace(BETWEEN, "");
  const base64 = /^[A-Za-z0-9/=]*/.exec(joined)?.[0] ?? "";
  const isCut = /^(?:\.\.|…|<|\[|\*|\$)/.test(joined.slice(base64.length));
  return base64.length >= SHORTEST_BODY && !isCut && entropy(base64) >= LEAST_ENTROPY;
}

/** Without an end the key is taken to reach as far as its lines hold no words. */
function keyLines(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line, row) => row > 0 && /\w \w/.test(line) && !HEADER.test(line));
  return end === -1 ? text : lines.slice(0, end).join("\n");
}

/** The lines above an end, as far up as they are of a key. */
function keysWithoutBeginning(text: string): readonly Match[] {
  return [...text.matchAll(END)].flatMap((end) => {
    let start = end.index;
    let base64 = "";
    while (start > 0 && end.index - start < LONGEST) {
      const line =
        text
          .slice(Math.max(0, start - LONGEST_LINE), start - 1)
          .split("\n")
          .at(-1) ?? "";
      const piece = KEY_LINE.exec(line)?.[1];
      if (piece === undefined) break;
      base64 = piece + base64;
      start = Math.max(0, start - 1 - line.length);
    }
    if (base64.length < SHORTEST_BODY || entropy(base64) < LEAST_ENTROPY) return [];
    return [match(start, end.index + end[0].length)];
  });
}

function jsonKeys(text: string): readonly Match[] {
  if (text.search(KEY_TYPE) === -1) return [];
  return [...text.matchAll(SECRET_NUMBER)].flatMap((found) => {
    const around = text.slice(
      Math.max(0, found.index - JSON_KEY_LENGTH),
      found.index + JSON_KEY_LENGTH,
    );
    const number = found[1] ?? "";
    if (around.search(KEY_TYPE) === -1 || isStandIn(number) || entropy(number) < LEAST_ENTROPY)
      return [];
    return [match(found.index, found.index + found[0].length)];
  });
}
