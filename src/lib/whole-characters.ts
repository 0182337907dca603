const HALVES = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/** A piece of a text without the halves of characters at its ends: one may take two units. */
export function wholeCharacters(piece: string): string {
  return piece.replace(HALVES, "");
}
