/** Transcripts of sessions that another transcript holds: until they are written again none needs a look. */
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { isUnchanged } from "./sources.ts";

interface Duplicate {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly modified_ms: number;
  /** Path of the transcript that holds the session. */
  readonly holder: string;
}

/** Nothing is remembered where the session is gone by now. */
export function rememberDuplicate(
  tx: Transaction,
  machine: string,
  { path, device, inode, size, modifiedMs }: TranscriptFile,
  session: number,
): void {
  tx.run(
    `INSERT OR REPLACE INTO duplicate_sources (machine, path, session, device, inode, size, modified_ms)
     SELECT ?, ?, key, ?, ?, ?, ? FROM sessions WHERE key = ?`,
    machine,
    path,
    device,
    inode,
    size,
    modifiedMs,
    session,
  );
}

/** Once a transcript holds a session itself. */
export function dropDuplicate(tx: Transaction, machine: string, path: string): void {
  tx.run("DELETE FROM duplicate_sources WHERE machine = ? AND path = ?", machine, path);
}

/**
 * A function that tells whether a file that is no source is a duplicate, as it was when it was read.
 * @param there whether a transcript is still there to hold the session.
 */
export function duplicatesOf(
  reader: Reader,
  machine: string,
  there: (path: string) => boolean,
): (file: TranscriptFile) => boolean {
  const duplicates = reader.all<Duplicate>(
    `SELECT duplicate.path, duplicate.device, duplicate.inode, duplicate.size,
       duplicate.modified_ms, sources.path AS holder
     FROM duplicate_sources AS duplicate JOIN sources USING (session)
     WHERE duplicate.machine = ?`,
    machine,
  );
  const held = duplicates.filter(({ holder }) => there(holder));
  const byPath = new Map(held.map((duplicate) => [duplicate.path, duplicate]));
  return (file) => {
    const duplicate = byPath.get(file.path);
    return duplicate !== undefined && isUnchanged(duplicate, file);
  };
}
