/** Numbers from 0 up to 1 that are the same for the same seed: good enough to shuffle by, for nothing else. */
export function seededRandom(seed: number): () => number {
  // Spread out, since neighbouring seeds would begin alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The lower bits of such a sequence repeat soon.
    return (state >>> 8) / 2 ** 24;
  };
}
