const LONGEST_NAME = 64;

/** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = from[row - 1] === to[column - 1] ? 0 : 1;
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + replaced,
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** Names that differ in case or separators only count as the same. */
function normalise(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, "");
}

/**
 * The candidate that the writer of `name` most likely meant, or `undefined` where none is near:
 * a third of its letters may differ, and an unfinished name counts as near to what completes it.
 */
export function nearMatch(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const wanted = normalise(name);
  if (wanted === "") return undefined;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const known = normalise(candidate);
    const completes = wanted.length > 1 && known.startsWith(wanted);
    const distance = completes
      ? Math.min(1, known.length - wanted.length)
      : editDistance(wanted, known);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3));
    const near = distance <= allowed && distance < known.length;
    if (near && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}
