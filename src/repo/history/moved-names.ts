/** What renames in the history do to the contents that the index has of files by their names. */
import type { Transaction } from "../../platform/sqlite/database.ts";

/** A name that files had before or after a rename. */
export interface MovedName {
  readonly path: string;
  /** Hash of the content that the file of this name had before; absent where there was none. */
  readonly blob: string | null;
}

/**
 * From now on notes which files get other names or go, and what was under these names. A file that is
 * renamed takes its content along, though what lies at the old name may in the end be what it was:
 * one that was moved away and came back later is another file to the history.
 */
export function noteMovedNames(tx: Transaction): void {
  tx.run("CREATE TEMP TABLE moved (path TEXT PRIMARY KEY, blob TEXT)");
  const before =
    "INSERT OR IGNORE INTO moved SELECT OLD.path, OLD.blob WHERE unicode(OLD.path) > 0";
  tx.run(`CREATE TEMP TRIGGER renamed AFTER UPDATE OF path ON files BEGIN
    ${before}; INSERT OR IGNORE INTO moved SELECT NEW.path, NULL WHERE unicode(NEW.path) > 0; END`);
  tx.run(`CREATE TEMP TRIGGER removed AFTER DELETE ON files BEGIN ${before}; END`);
}

/** The names noted so far. */
export function movedNames(tx: Transaction): readonly MovedName[] {
  return tx.all<MovedName>("SELECT path, blob FROM moved ORDER BY path");
}
