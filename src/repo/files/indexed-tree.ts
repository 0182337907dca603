import type { Reader } from "../../platform/sqlite/database.ts";
import type { Scan, SourceTree } from "../imports/types.ts";

/** The files of the indexed commit as the index has them. */
export interface IndexedTree extends SourceTree {
  /** Ids of the files by their paths. */
  readonly ids: ReadonlyMap<string, number>;
  /** How many lines of text the file has. */
  lines(path: string): number | undefined;
}

/** Reads the names of the files at once, and the rest of each when it is asked for. */
export function indexedTree(index: Reader): IndexedTree {
  const rows = index.all<{ id: number; path: string }>(
    "SELECT id, path FROM files WHERE blob IS NOT NULL",
  );
  const ids = new Map(rows.map(({ id, path }) => [path, id]));
  const column = <Row>(name: "scan" | "text", path: string) => {
    const id = ids.get(path);
    if (id === undefined) return undefined;
    return index.get<Row>(`SELECT ${name} FROM files JOIN scans USING (blob) WHERE id = ?`, id);
  };
  return {
    ids,
    paths: new Set(ids.keys()),
    scan(path) {
      const row = column<{ scan: string | null }>("scan", path);
      return typeof row?.scan === "string" ? (JSON.parse(row.scan) as Scan) : undefined;
    },
    lines: (path) =>
      index.get<{ lines: number }>("SELECT lines FROM files WHERE path = ?", path)?.lines,
    manifest: (path) => column<{ text: string | null }>("text", path)?.text ?? undefined,
  };
}
