import type { Reader } from "../../platform/sqlite/database.ts";
import type { Scan, SourceTree } from "../imports/types.ts";

/** The files of the indexed commit as the index has them. */
export interface IndexedTree extends SourceTree {
  /** The id of a file. */
  id(path: string): number | undefined;
  /** How many lines of text the file has. */
  lines(path: string): number | undefined;
}

/** Reads the names of the files at once, and the rest of each when it is asked for. */
export function indexedTree(index: Reader): IndexedTree {
  // One text for all of them: a row for each would take ten times as long.
  const names = index.get<{ paths: string | null }>(
    "SELECT group_concat(path, char(0)) AS paths FROM files WHERE blob IS NOT NULL",
  )?.paths;
  const column = <Row>(name: "scan" | "text", path: string) =>
    index.get<Row>(
      `SELECT ${name} FROM files JOIN scans USING (blob, read_as) WHERE path = ?`,
      path,
    );
  return {
    paths: new Set(names?.split("\0")),
    id: (path) =>
      index.get<{ id: number }>("SELECT id FROM files WHERE path = ? AND blob IS NOT NULL", path)
        ?.id,
    scan(path) {
      const row = column<{ scan: string | null }>("scan", path);
      return typeof row?.scan === "string" ? (JSON.parse(row.scan) as Scan) : undefined;
    },
    lines: (path) =>
      index.get<{ lines: number }>("SELECT lines FROM files WHERE path = ?", path)?.lines,
    manifest: (path) => column<{ text: string | null }>("text", path)?.text ?? undefined,
  };
}
