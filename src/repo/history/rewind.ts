/** Takes commits out of the index again, for a history that no longer has them. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { parkName } from "./touched-files.ts";

interface Rename {
  readonly file_id: number;
  readonly old_path: string;
  readonly is_merge: number;
}

/**
 * Removes commits, and undoes what they renamed.
 * @param hashes from the newest to the oldest.
 * @returns ids of the files they touched; `undefined` when it cannot be done, the index then being
 *   of no more use.
 */
export function removeCommits(
  tx: Transaction,
  hashes: readonly string[],
): ReadonlySet<number> | undefined {
  const affected = new Set<number>();
  for (const hash of hashes) {
    const commit = tx.get<{ id: number }>(
      "SELECT id FROM commits WHERE hash = ?",
      Buffer.from(hash, "hex"),
    )?.id;
    if (commit === undefined) continue; // merges are not kept
    for (const { file_id } of tx.all<{ file_id: number }>(
      "SELECT file_id FROM touches WHERE commit_id = ?",
      commit,
    )) {
      affected.add(file_id);
    }
    if (!undoRenames(tx, commit)) return undefined;
    for (const table of ["touches", "renames", "co_authors"]) {
      tx.run(`DELETE FROM ${table} WHERE commit_id = ?`, commit);
    }
    tx.run("DELETE FROM commits WHERE id = ?", commit);
    tx.run("DELETE FROM words WHERE rowid = ?", commit);
  }
  return affected;
}

function undoRenames(tx: Transaction, commit: number): boolean {
  const renames = tx.all<Rename>(
    "SELECT file_id, old_path, is_merge FROM renames WHERE commit_id = ?",
    commit,
  );
  if (renames.some(({ is_merge }) => is_merge === 1)) return false;
  const renamed = new Set(renames.map(({ file_id }) => file_id));
  const isTaken = ({ old_path }: Rename) => {
    const holder = tx.get<{ id: number }>("SELECT id FROM files WHERE path = ?", old_path)?.id;
    return holder !== undefined && !renamed.has(holder);
  };
  if (renames.some(isTaken)) return false;
  // Two files may have swapped their names: no name may be in the way of another.
  for (const { file_id } of renames) parkName(tx, file_id);
  for (const { file_id, old_path } of renames) {
    tx.run("UPDATE files SET path = ? WHERE id = ?", old_path, file_id);
  }
  return true;
}

/** Forgets the files that nothing is known of any more, once what touched the others is added up. */
export function removeUntouched(tx: Transaction): void {
  tx.run("DELETE FROM files WHERE blob IS NULL AND churn = 0");
}
