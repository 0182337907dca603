/** What is longer is data. */
const LONGEST = 100;

/**
 * The words inside of identifiers that a tokenizer takes for one, such as `parse Patch` for
 * `parsePatch`; those that are joined by other characters it tells apart itself.
 */
export function identifierParts(text: string): string {
  const parts = new Set<string>();
  for (const identifier of joinedWords(text)) {
    let start = 0;
    for (let at = 1; at < identifier.length; at += 1) {
      if (!beginsWord(identifier, at)) continue;
      parts.add(identifier.slice(start, at).toLowerCase());
      start = at;
    }
    if (start > 0) parts.add(identifier.slice(start).toLowerCase());
  }
  return [...parts].join(" ");
}

/** Letters and digits in a row, from a letter on, that have a capital behind another letter. */
function joinedWords(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let start = -1;
  let capital = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isCapital(code) || (code >= 97 && code <= 122)) {
      if (start < 0) start = at;
      else capital ||= isCapital(code);
    } else if (start >= 0 && !(code >= 48 && code <= 57)) {
      if (capital && at - start <= LONGEST) found.add(text.slice(start, at));
      start = -1;
      capital = false;
    }
  }
  return found;
}

/** Whether a word begins inside an identifier: a capital, in a row of them only the last. */
function beginsWord(identifier: string, at: number): boolean {
  if (!isCapital(identifier.charCodeAt(at))) return false;
  const next = identifier.charCodeAt(at + 1);
  return !isCapital(identifier.charCodeAt(at - 1)) || (next >= 97 && next <= 122);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
