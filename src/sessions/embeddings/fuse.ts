/** How much a place near the beginning of a list counts more than one further down. */
const RANK_CONSTANT = 60;

export interface Fused<Key> {
  readonly key: Key;
  readonly score: number;
  /** Name of each list that holds it and its place there, from 1, such as `lexical:1`. */
  readonly signals: readonly string[];
}

/**
 * Several lists of the same things as one, the best first: reciprocal rank fusion as in Cormack, Clarke
 * and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods"
 * (2009). Only places count, so that lists need have no scores in common.
 */
export function fuse<Key>(lists: Readonly<Record<string, readonly Key[]>>): readonly Fused<Key>[] {
  const fused = new Map<Key, { score: number; signals: string[] }>();
  for (const [name, keys] of Object.entries(lists)) {
    for (const [place, key] of keys.entries()) {
      const known = fused.get(key) ?? { score: 0, signals: [] };
      known.score += 1 / (RANK_CONSTANT + place + 1);
      known.signals.push(`${name}:${place + 1}`);
      fused.set(key, known);
    }
  }
  return [...fused].map(([key, rest]) => ({ key, ...rest })).sort((a, b) => b.score - a.score);
}
