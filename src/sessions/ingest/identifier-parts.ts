/** What is longer is data. */
const LONGEST = 100;

/** What tells that words are joined; ends inside of the identifier, or behind it. */
const JOINT = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g;

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
    if (end - start <= LONGEST) addParts(parts, text.slice(start, end));
  }
}

function addParts(parts: Set<string>, identifier: string): void {
  const lower = identifier.toLowerCase();
  let start = 0;
  for (let at = 1; at < identifier.length; at += 1) {
    if (!beginsWord(identifier, at)) continue;
    parts.add(lower.slice(start, at));
    start = at;
  }
  if (start > 0) parts.add(lower.slice(start));
}

/** Whether a word begins inside an identifier: a capital, in a row of them only the last. */
function beginsWord(identifier: string, at: number): boolean {
  if (!isCapital(identifier.charCodeAt(at))) return false;
  return !isCapital(identifier.charCodeAt(at - 1)) || isSmall(identifier.charCodeAt(at + 1));
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
  return isSmall(code) || isCapital(code) || isDigit(code);
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
