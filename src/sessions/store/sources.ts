/** How far each transcript was read, and how to tell that it only grew since. */
import type { FileBytes } from "../../platform/file-bytes.ts";
import { quickHash } from "../../platform/hash.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";

export interface Source {
  readonly path: string;
  readonly session: number;
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly modified_ms: number;
  readonly read_bytes: number;
  readonly read_lines: number;
  readonly ends_hash: string;
  /** JSON; what the reader of the format goes on from. */
  readonly state: string;
  readonly malformed: number;
}

/** A source without what only the reading of it needs. */
export type KnownSource = Pick<
  Source,
  "path" | "device" | "inode" | "size" | "modified_ms" | "read_bytes"
>;

/** Bytes at either end of what was read by which it is known again. */
const END_BYTES = 4096;

/** A hash of the first and the last bytes of what was read. */
export function endsHash(file: FileBytes, readBytes: number): string {
  const length = Math.min(END_BYTES, readBytes);
  const head = Buffer.alloc(length);
  const tail = Buffer.alloc(length);
  const got = file.read(head, 0) + file.read(tail, readBytes - length);
  return got === 2 * length ? quickHash(Buffer.concat([head, tail]).toString("latin1")) : "";
}

const SOURCES = `SELECT path, session, device, inode, size, modified_ms, read_bytes, read_lines,
  ends_hash, state, malformed FROM sources`;

export function readSources(database: Database, machine: string): readonly KnownSource[] {
  return database.all<KnownSource>(
    "SELECT path, device, inode, size, modified_ms, read_bytes FROM sources WHERE machine = ?",
    machine,
  );
}

/** What is on record of one transcript. */
export function sourceAt(reader: Reader, machine: string, path: string): Source | undefined {
  return reader.get<Source>(`${SOURCES} WHERE machine = ? AND path = ?`, machine, path);
}

/** Whether nothing was written to a transcript since it was read. */
export function isUnchanged(
  source: Omit<KnownSource, "read_bytes">,
  file: TranscriptFile,
): boolean {
  return (
    source.size === file.size &&
    source.modified_ms === file.modifiedMs &&
    source.inode === file.inode &&
    source.device === file.device
  );
}

/** @param earlierPath under which the transcript was known, where it was moved. */
export function writeSource(
  tx: Transaction,
  machine: string,
  source: Source,
  earlierPath?: string,
): void {
  if (earlierPath !== undefined && earlierPath !== source.path) {
    tx.run("DELETE FROM sources WHERE machine = ? AND path = ?", machine, earlierPath);
  }
  tx.run(
    `INSERT OR REPLACE INTO sources (path, machine, session, device, inode, size, modified_ms,
       read_bytes, read_lines, ends_hash, state, malformed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    source.path,
    machine,
    source.session,
    source.device,
    source.inode,
    source.size,
    source.modified_ms,
    source.read_bytes,
    source.read_lines,
    source.ends_hash,
    source.state,
    source.malformed,
  );
}
