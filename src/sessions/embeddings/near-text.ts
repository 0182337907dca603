/** The text that a vector was made of, as long as it is what is stored. */
import { sha256 } from "../../platform/hash.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { NearChunk } from "./nearest.ts";
import { type ChunkPlace, chunkText } from "./session-text.ts";

export interface NearText {
  readonly session: number;
  readonly seq: number;
  readonly kind: ChunkPlace["kind"];
  /** Of the message in which it begins; 0 for an overview. */
  readonly line: number;
  readonly text: string;
}

/** `undefined` where the session has changed since, or is gone. */
export function nearText(reader: Reader, { chunk }: NearChunk): NearText | undefined {
  const row = reader.get<ChunkPlace & Omit<NearText, "text"> & { readonly text_hash: string }>(
    `SELECT session, seq, kind, line_no AS line, start AS offset, bytes, text_hash
     FROM chunks WHERE key = ?`,
    chunk,
  );
  if (row === undefined) return undefined;
  const { session, seq, kind, line } = row;
  const text = chunkText(reader, session, row);
  return sha256(text) === row.text_hash ? { session, seq, kind, line, text } : undefined;
}
