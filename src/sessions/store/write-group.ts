/** Writes pieces of transcripts in one transaction. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import type { Piece } from "../ingest/pieces.ts";
import { isForgotten, rememberForgotten } from "../keeping/left-out.ts";
import { dropDuplicate } from "./duplicates.ts";
import { forgetContent, forgetCopiesOf } from "./forget-session.ts";
import { type Source, sourceAt, writeSource } from "./sources.ts";
import { type Copied, sessionKey, writeFacts, writeMessages, writeSession } from "./write-batch.ts";
import { writeSessionWords } from "./write-session-words.ts";

export interface PendingPiece {
  readonly file: TranscriptFile;
  readonly piece: Piece;
  /** Paths of files that held the session and are gone. */
  readonly others: readonly string[];
  /** What is on record of the transcript, unless another piece of it is written first. */
  readonly before: Source | undefined | "piece before";
}

/** Why a piece was not written: another process has read its transcript on; it must not come back. */
export type Unwritten = "overtaken" | "forgotten";

/** @returns what is on record of each piece's transcript then. */
export function writeGroup(
  tx: Transaction,
  machine: string,
  indexedAt: string,
  group: readonly PendingPiece[],
): readonly (Source | Unwritten)[] {
  const stored = new Map<string, Source>();
  const sources = group.map((pending): Source | Unwritten => {
    const { file, before, piece } = pending;
    if (isForgotten(tx, piece.header)) {
      // As a helper of what was forgotten, perhaps: it may have helpers of its own.
      rememberForgotten(tx, piece.header, indexedAt);
      return "forgotten";
    }
    const known = before === "piece before" ? stored.get(file.path) : before;
    if (before === "piece before" && known === undefined) return "overtaken";
    if (isOvertaken(tx, machine, file.path, known)) return "overtaken";
    const source = writeProgress(tx, machine, indexedAt, pending, known);
    stored.set(file.path, source);
    return source;
  });
  const written = group.flatMap(({ piece }, index) => {
    const source = sources[index];
    if (source === undefined || typeof source === "string") return [];
    return [{ session: source.session, batch: piece.batch }];
  });
  const copied: Copied = new Map();
  for (const { session, batch } of written) writeMessages(tx, session, batch, copied);
  for (const { session, batch } of written) writeFacts(tx, session, batch, copied);
  const changed = new Set([...written.map(({ session }) => session), ...copied.keys()]);
  for (const session of changed) writeSessionWords(tx, session);
  return sources;
}

/** Writes everything of a piece but what its records say. */
function writeProgress(
  tx: Transaction,
  machine: string,
  indexedAt: string,
  { file, piece, others }: PendingPiece,
  before: Source | undefined,
): Source {
  const { header, readTo, anew, isLast } = piece;
  const known = sessionKey(tx, machine, header);
  const session = writeSession(tx, machine, header, indexedAt);
  if (anew) {
    if (known !== undefined) forgetContent(tx, session);
    forgetCopiesOf(tx, file);
    dropDuplicate(tx, machine, file.path);
  }
  for (const path of others) {
    tx.run("DELETE FROM sources WHERE machine = ? AND path = ?", machine, path);
  }
  const source: Source = {
    ...readTo,
    path: file.path,
    session,
    device: file.device,
    inode: file.inode,
    // Until all is read the transcript is none that has not changed since.
    size: isLast ? file.size : readTo.read_bytes,
    modified_ms: isLast ? file.modifiedMs : 0,
  };
  writeSource(tx, machine, source, before?.path);
  return source;
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
