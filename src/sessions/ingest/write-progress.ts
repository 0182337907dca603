/** Stores what was read of a transcript, together with how far it was read. */
import type { FileBytes } from "../../platform/file-bytes.ts";
import { isFile } from "../../platform/files.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { isForgotten } from "../keeping/left-out.ts";
import { forgetContent, forgetCopiesOf } from "../store/forget-session.ts";
import { endsHash, type Source, sourceAt, writeSource } from "../store/sources.ts";
import { writeBatch, writeSession } from "../store/write-batch.ts";
import { writeSessionWords } from "../store/write-session-words.ts";
import type { TranscriptReader } from "../transcripts/types.ts";
import { type Batch, emptyBatch } from "./batch.ts";
import { createRedactor } from "./redact-batch.ts";
import type { IndexPowers } from "./rules.ts";

/** How far a transcript was read, and what of it is not stored yet. */
export interface Progress {
  readonly reader: TranscriptReader;
  /** Of the file, from its beginning. */
  bytes: number;
  lines: number;
  malformed: number;
  batch: Batch;
  /** Whether nothing stored of the session counts any more. */
  anew: boolean;
}

/** `duplicate`: another file holds the session; `overtaken`: another process has read this one on; `forgotten`: it must not come back. */
export type WriteOutcome = "written" | "duplicate" | "overtaken" | "forgotten";

interface Reading {
  readonly file: TranscriptFile;
  readonly bytes: FileBytes;
  readonly machine: string;
  /** What was on record of the transcript when it was opened. */
  readonly source: Source | undefined;
}

/**
 * Writes batches of one transcript, each in one transaction with its place in the file: whatever ends
 * this process, the next index goes on from there. Nothing is written unless the outcome is `written`.
 */
export function createProgressWriter(
  powers: IndexPowers,
  reading: Reading,
): (progress: Progress, end: { readonly isLast: boolean }) => Promise<WriteOutcome> {
  const { database, clock, scanner } = powers;
  const { file, bytes, machine } = reading;
  let stored = reading.source;

  return async (progress, { isLast }) => {
    const others = await otherSources(powers, reading, progress);
    if (others === undefined) return "duplicate";
    const redactor = createRedactor(scanner);
    const header = await redactor.header(progress.reader.header);
    const batch = await redactor.batch(progress.batch);
    const source: Omit<Source, "session"> = {
      path: file.path,
      device: file.device,
      inode: file.inode,
      // Until all is read the transcript is none that has not changed since.
      size: isLast ? file.size : progress.bytes,
      modified_ms: isLast ? file.modifiedMs : 0,
      read_bytes: progress.bytes,
      read_lines: progress.lines,
      ends_hash: endsHash(bytes, progress.bytes),
      state: JSON.stringify({ ...(progress.reader.state() as object), header }),
      malformed: progress.malformed,
    };
    const before = stored;
    const session = await database.write((tx) => {
      if (isForgotten(tx, header)) return "forgotten";
      if (isOvertaken(tx, machine, file.path, before)) return "overtaken";
      const key = writeSession(tx, machine, header, clock.iso());
      if (progress.anew) {
        forgetContent(tx, key);
        forgetCopiesOf(tx, file);
      }
      for (const path of others) {
        tx.run("DELETE FROM sources WHERE machine = ? AND path = ?", machine, path);
      }
      writeBatch(tx, key, batch);
      writeSessionWords(tx, key);
      writeSource(tx, machine, { ...source, session: key }, before?.path);
      return key;
    });
    if (typeof session === "string") return session;
    stored = { ...source, session };
    progress.anew = false;
    progress.batch = emptyBatch();
    return "written";
  };
}

function isOvertaken(
  tx: Transaction,
  machine: string,
  path: string,
  before: Source | undefined,
): boolean {
  const now = sourceAt(tx, machine, before?.path ?? path);
  return now?.read_bytes !== before?.read_bytes || now?.ends_hash !== before?.ends_hash;
}

/** Paths of files that held the session and are gone; `undefined` where one of them is there. */
async function otherSources(
  { database }: IndexPowers,
  { file, machine, source }: Reading,
  { reader }: Progress,
): Promise<readonly string[] | undefined> {
  const others = database
    .all<{ path: string }>(
      `SELECT path FROM sources JOIN sessions ON sessions.key = sources.session
       WHERE sources.machine = ? AND provider = ? AND id = ?`,
      machine,
      file.provider,
      reader.header.id,
    )
    .map(({ path }) => path)
    .filter((path) => path !== file.path && path !== source?.path);
  for (const path of others) if (await isFile(path)) return undefined;
  return others;
}
