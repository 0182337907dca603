/** Order of texts by their characters, the same on every machine; for `sort`. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
