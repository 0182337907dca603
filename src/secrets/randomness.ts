/**
 * Whether characters were drawn or written: what is written has the letters of words after each
 * other, and keeps to one kind of character for a while. Counted in 54,000 different names and
 * literals of five open repositories in seven languages.
 */

/**
 * How seldom a letter (a to z, along the row) comes after another (a to z, down the rows), in half
 * bits, as digits of base 36.
 */
const PAIRS = [
  "p979lf9kang786sap685beidbi",
  "5hgc6lko89k4bk7gv8bh7jnpbo",
  "8iej7hi6cl79fj3hpac5bmmrfx",
  "7dcb3ffh5iiaef8dnc8d7fggbm",
  "9e77b9dhekk896gbe568hdd8fo",
  "6phh79gp3ss9jg5mh98aavnndv",
  "ajdh3ecb4pkbd89do88b9klvgg",
  "5hff4hki7okedg5fkbb78kjrhu",
  "c999ab9plrj7a46cl986maqdvd",
  "cpmi3mmmdpjmjpacmj2pamjppp",
  "5fdd3dbg7mlchaadie689hergo",
  "7ff94bjj5nj7ij7boia88fhtco",
  "6bha4iin8il88f67rgagclltbt",
  "7g87797iajddec8dle65ccisit",
  "db97iechfjd984a8t5a98caimo",
  "5igc5igdash6gi7ap6b78kjpct",
  "hk9ieknnhnkehfcn9ihh0nnnnn",
  "6e9b3fai7scdab7epa88aeiqbt",
  "agaf5be96occdg99jc748fehbp",
  "6hbd4ek75okfbf8cn78abigf9n",
  "b7cb9d8p9wo696g8w786lpsfqo",
  "4khj2jct5ttkfedgtiejmhloot",
  "6fcd7ch94okcd85dl78cgjbrkr",
  "9g8d8gkg7mmgchd4rfe3hjlaan",
  "a9abadfhcpj66784je69gfbsmf",
  "6mmf1jmf8mmhfjagmfejcmmjae",
];
/** The same for a letter after no letter. */
const SINGLE = "8b996bbb8he8a88aj887adeedj";
/** In bits, how seldom a kind of character comes after another. */
const KINDS = {
  lower: { lower: 0.2, upper: 4.8, digit: 8, other: 3.2 },
  upper: { lower: 1.6, upper: 0.8, digit: 8.7, other: 3.5 },
  digit: { lower: 5, upper: 6.4, digit: 1.2, other: 0.9 },
  other: { lower: 0.3, upper: 3.2, digit: 5.5, other: 3.8 },
};
const BITS_OF_DIGIT = Math.log2(10);
const BITS_OF_OTHER = 2;

/**
 * Bits by which a text is likelier to be drawn than to be written; below 0 it is likelier written.
 * Only for ASCII without blanks.
 */
export function bitsOfChance(text: string): number {
  const drawn = Math.log2(alphabetSize(text));
  let bits = 0;
  for (let at = 1; at < text.length; at += 1) {
    const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    const kind = kindOf(code);
    bits += KINDS[kindOf(before)][kind] - drawn;
    if (kind === "digit") bits += BITS_OF_DIGIT;
    else if (kind === "other") bits += BITS_OF_OTHER;
    else bits += bitsOfLetter(code, before);
  }
  return bits;
}

/** Of the narrowest alphabet in use that a text may have been drawn from. */
function alphabetSize(text: string): number {
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)) return 16;
  const letters = /[a-z]/.test(text) && /[A-Z]/.test(text) ? 52 : 26;
  return letters + 10 + (/[^A-Za-z0-9]/.test(text) ? 2 : 0);
}

function bitsOfLetter(code: number, before: number): number {
  const row = PAIRS[letterAt(before)] ?? SINGLE;
  return Number.parseInt(row.charAt(letterAt(code)), 36) / 2;
}

/** From 0 for a; of what is no letter, some other number. */
function letterAt(code: number): number {
  return (code | 32) - 97;
}

export function kindOf(code: number): keyof typeof KINDS {
  if (code >= 97 && code <= 122) return "lower";
  if (code >= 65 && code <= 90) return "upper";
  return code >= 48 && code <= 57 ? "digit" : "other";
}
