/** A change of a text at one place. */
export interface Edit {
  readonly offset: number;
  /** Characters. */
  readonly removed: number;
  readonly inserted: string;
}

/** @param edits in any order; none inside of what another removes. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let end = 0;
  for (const { offset, removed, inserted } of edits.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(end, offset) + inserted;
    end = offset + removed;
  }
  return result + text.slice(end);
}
