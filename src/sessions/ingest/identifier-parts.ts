/** What is longer is data. */
const LONGEST = 100;

/** What tells that words are joined; ends inside of the identifier, or behind it. */
const JOINT = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g;
/** A word begins with a capital, in a row of them only with the last. */
const INNER_WORD = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/**
 * The words inside of identifiers that a tokenizer takes for one, such as `parse Patch` for
 * `parsePatch`; those that are joined by other characters it tells apart itself.
 */
export function identifierParts(text: string): string {
  const parts = new Set<string>();
  const joint = new RegExp(JOINT);
  let end = 0;
  for (;;) {
    joint.lastIndex = end;
    if (!joint.test(text)) return [...parts].join(" ");
    const inner = joint.lastIndex;
    const start = startOf(text, inner, end);
    end = endOf(text, inner);
    if (end - start > LONGEST) continue;
    const words = text.slice(start, end).split(INNER_WORD);
    if (words.length > 1) for (const word of words) parts.add(word.toLowerCase());
  }
}

/** An identifier begins with a letter. */
function startOf(text: string, inside: number, earliest: number): number {
  let start = inside;
  while (start > earliest && isLetterOrDigit(text.charCodeAt(start - 1))) start -= 1;
  while (isDigit(text.charCodeAt(start))) start += 1;
  return start;
}

function endOf(text: string, inside: number): number {
  let end = inside;
  while (isLetterOrDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
