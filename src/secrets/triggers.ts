/** One look at a text for what the rules need to find anything: most texts have nothing of it. */
import { execAt } from "./exec-at.ts";
import { KNOWN_PIECES } from "./known-formats.ts";
import { NAMES, type NamePlace } from "./names.ts";
import { TOKEN_RULES } from "./token-rules.ts";
import { ENCODED_PEM } from "./tokens.ts";

/** What a text may have; without it the rules of that kind find nothing. */
export interface Triggers {
  readonly keys: boolean;
  readonly tokens: boolean;
  readonly addresses: boolean;
  readonly known: boolean;
  /** In their order, none in another. */
  readonly names: readonly NamePlace[];
}

interface Piece {
  readonly kind: keyof Triggers;
  /** In lower case where case does not count. */
  readonly text: string;
  readonly ignoreCase: boolean;
  /** Whether what stands around the piece leaves a chance. */
  readonly fits: (text: string, start: number) => boolean;
}

const always = () => true;

function pieces(
  kind: keyof Triggers,
  texts: readonly string[],
  fits: Piece["fits"] = always,
): Piece[] {
  return texts.map((text) => ({ kind, text, ignoreCase: false, fits }));
}

/** What the body of every token begins with: the shortest has more. */
const BODY = /[\w.%+/=~-]{8}/y;
/** `://`, and more than a user with a password of the lengths that count. */
const LONGEST_LOGIN = 400;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;

/** Of the escape of a line end or a tab the letter before a place, which is none of what was meant. */
function endsEscape(text: string, at: number): boolean {
  return text.charAt(at - 2) === "\\" && /[nrt]/.test(text.charAt(at - 1));
}

function beginsToken(piece: string): Piece["fits"] {
  return (text, start) =>
    (!LETTER_OR_DIGIT.test(text.charAt(start - 1)) || endsEscape(text, start)) &&
    execAt(BODY, text, start + piece.length) !== null;
}

function allPieces(): readonly Piece[] {
  return [
    ...pieces("keys", ["PRIVATE KEY", "Private-Lines: ", "kty"]),
    ...pieces("addresses", ["://"], (text, start) =>
      text.slice(start, start + LONGEST_LOGIN).includes("@"),
    ),
    ...pieces("known", KNOWN_PIECES),
    ...pieces("tokens", [ENCODED_PEM]),
    ...TOKEN_RULES.flatMap(({ at, back, pattern }) =>
      at.flatMap((piece) =>
        back === undefined
          ? pieces("tokens", [piece], beginsToken(piece))
          : pieces(
              "tokens",
              [piece],
              (text, start) =>
                endsEscape(text, start - back) || execAt(pattern, text, start - back) !== null,
            ),
      ),
    ),
    ...NAMES.map((text): Piece => ({ kind: "names", text, ignoreCase: true, fits: always })),
  ];
}

/** Three characters come to a sum; what came before them is shifted out of it. */
const SUMS = 1 << 15;
const WINDOW = 3;

function nextSum(sum: number, code: number): number {
  return ((sum << 5) ^ ((code | 32) & 127)) & (SUMS - 1);
}

/** By what their first three characters come to; with two characters, any third. */
function piecesBySum(): (Piece[] | undefined)[] {
  const bySum: (Piece[] | undefined)[] = new Array(SUMS).fill(undefined);
  for (const piece of allPieces()) {
    const begins = [...piece.text.slice(0, WINDOW)].reduce(
      (sum, character) => nextSum(sum, character.charCodeAt(0)),
      0,
    );
    const sums =
      piece.text.length >= WINDOW
        ? [begins]
        : new Set(Array.from({ length: 128 }, (_, code) => nextSum(begins, code)));
    for (const sum of sums) {
      bySum[sum] ??= [];
      bySum[sum]?.push(piece);
    }
  }
  return bySum;
}

export type LookForTriggers = (text: string) => Triggers;

export function createTriggers(): LookForTriggers {
  const bySum = piecesBySum();
  /** Whether there are any, in a form that is quick to look at. */
  const isSum = new Uint8Array(SUMS);
  for (const [sum, here] of bySum.entries()) if (here !== undefined) isSum[sum] = 1;
  return (text) => {
    const found = { keys: false, tokens: false, addresses: false, known: false };
    const names: NamePlace[] = [];
    let sum = 0;
    for (let at = 0; at < text.length; at += 1) {
      sum = nextSum(sum, text.charCodeAt(at));
      if (isSum[sum] === 0) continue;
      const start = at - WINDOW + 1;
      for (const piece of bySum[sum] ?? []) {
        const { kind } = piece;
        if (kind === "names") {
          const end = start + piece.text.length;
          if (start < (names.at(-1)?.end ?? 0) || !standsAt(piece, text, start)) continue;
          names.push({ start, end });
        } else if (!found[kind] && standsAt(piece, text, start)) {
          found[kind] = piece.fits(text, start);
        }
      }
    }
    return { ...found, names };
  };
}

function standsAt({ text: piece, ignoreCase }: Piece, text: string, start: number): boolean {
  if (!ignoreCase) return text.startsWith(piece, start);
  for (let at = 0; at < piece.length; at += 1) {
    if (lowerCase(text.charCodeAt(start + at)) !== piece.charCodeAt(at)) return false;
  }
  return true;
}

/** Of ASCII only, as all pieces are. */
function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
