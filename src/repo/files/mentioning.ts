import type { Reader } from "../../platform/sqlite/database.ts";

/** The files of the index whose scans have one of some words in them, as a part of others too. */
export function filesMentioning(index: Reader, words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const hasOne = words.map(() => "instr(scan, ?) > 0").join(" OR ");
  return index
    .all<{ path: string }>(
      `SELECT path FROM files JOIN scans USING (blob, read_as) WHERE scan IS NOT NULL AND (${hasOne})`,
      ...words.map((word) => JSON.stringify(word).slice(1, -1)),
    )
    .map(({ path }) => path);
}
