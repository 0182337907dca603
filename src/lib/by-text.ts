/** Order of texts by their characters, the same on every machine; for `sort`. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The same order of what has a path. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return byText(a.path, b.path);
}
