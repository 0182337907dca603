/** What the touches of each file add up to. */
import type { Transaction } from "../../platform/sqlite/database.ts";

const SUMS = `
  UPDATE files SET (churn, last_touched_at, heat, fix_heat) = (
    SELECT count(*), coalesce(max(committed_at), 0), coalesce(sum(weight), 0),
      coalesce(sum(weight * is_fix), 0)
    FROM touches JOIN commits ON commits.id = commit_id WHERE file_id = files.id
  )`;

/** Programs do not count as authors; those who are named in the message do. */
const AUTHORS = `
  UPDATE files SET author_count = (
    SELECT count(*) FROM authors WHERE is_bot = 0 AND id IN (
      SELECT author_id FROM touches JOIN commits ON commits.id = commit_id
        WHERE file_id = files.id
      UNION
      SELECT author_id FROM touches JOIN co_authors USING (commit_id) WHERE file_id = files.id
    )
  )`;

/** Adds up all files. */
export function sumAllFiles(tx: Transaction): void {
  tx.run(SUMS);
  tx.run(AUTHORS);
}

/** Adds up some files again. */
export function sumFiles(tx: Transaction, files: Iterable<number>): void {
  for (const file of files) {
    tx.run(`${SUMS} WHERE id = ?`, file);
    tx.run(`${AUTHORS} WHERE id = ?`, file);
  }
}
