const JOINED = /[A-Za-z][a-z0-9]*(?:[A-Z]+[a-z0-9]*)+/g;
const JOINT = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/**
 * The words inside of identifiers that a tokenizer takes for one, such as `parse Patch` for
 * `parsePatch`; those that are joined by other characters it tells apart itself.
 */
export function identifierParts(text: string): string {
  const parts = new Set<string>();
  for (const [identifier] of text.matchAll(JOINED)) {
    const words = identifier.split(JOINT);
    if (words.length > 1) for (const word of words) parts.add(word.toLowerCase());
  }
  return [...parts].join(" ");
}
