import { Database } from "bun:sqlite";

/** What SQLite says of a store that is not whole. */
export function integrityViolations(path: string): string[] {
  using database = new Database(path);
  const { integrity_check } = database
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .get() ?? { integrity_check: "no answer" };
  return integrity_check === "ok" ? [] : [`integrity_check: ${integrity_check}`];
}
