/** A transcript as it is handed on from reading to writing, piece by piece; all of it plain JSON. */
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import type { Source } from "../store/sources.ts";
import type { SessionHeader } from "../transcripts/types.ts";
import type { ReadyBatch } from "./batch.ts";

export interface ReadRequest {
  readonly file: TranscriptFile;
  /** What is on record of the transcript, or of one that may have been moved there. */
  readonly source?: Source;
  /** Read it from its beginning, whatever was read. */
  readonly force: boolean;
}

/** How far a transcript was read. */
export type ReadTo = Pick<
  Source,
  "read_bytes" | "read_lines" | "malformed" | "ends_hash" | "state"
>;

export interface Piece {
  readonly header: SessionHeader;
  readonly batch: ReadyBatch;
  readonly readTo: ReadTo;
  /** Whether `source` of the request is of this transcript. */
  readonly isKnown: boolean;
  /** Whether nothing stored of the session counts any more: the transcript is read from its beginning. */
  readonly anew: boolean;
  readonly isLast: boolean;
  /** Of the whole transcript, unpacked. */
  readonly wholeBytes: number;
  /** Bytes read since the piece before. */
  readonly bytes: number;
  /** Lines since the piece before that are no records. */
  readonly malformed: number;
}

/** What came of one step of reading. */
export type Read =
  | { readonly request: ReadRequest; readonly piece: Piece }
  /** Of the transcript, which is not read any further; as a sentence. */
  | { readonly request: ReadRequest; readonly problem: string };

/** A reading of transcripts, in their order. */
export interface Reading extends Disposable {
  readonly reads: AsyncIterable<Read>;
  /** Says that no more of a transcript is wanted; what was read already still comes. */
  skip(request: ReadRequest): void;
}
