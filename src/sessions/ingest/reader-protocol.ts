/** What the index and the Worker that reads for it tell each other. */
import type { ErrorData } from "../../lib/errors.ts";
import type { ReadyMessage } from "./batch.ts";
import type { Piece, ReadRequest } from "./pieces.ts";

/** As JSON. Transcripts are named by numbers, in the order in which they are asked for. */
export type ReaderCommand =
  | { readonly type: "read"; readonly id: number; readonly request: ReadRequest }
  /** No more transcripts come. */
  | { readonly type: "end" }
  /** No more of this transcript is wanted. */
  | { readonly type: "skip"; readonly id: number }
  /** So many bytes of what was told were taken. */
  | { readonly type: "taken"; readonly size: number };

export type ReaderReply =
  | { readonly type: "ready" }
  | { readonly type: "piece"; readonly id: number; readonly piece: Piece }
  | { readonly type: "problem"; readonly id: number; readonly problem: string }
  /** No more of it comes, as was wanted. */
  | { readonly type: "skipped"; readonly id: number }
  /** All that was asked for has been told. */
  | { readonly type: "ended" }
  /** Nothing more comes. */
  | { readonly type: "failed"; readonly error: ErrorData };

/** Bytes of pieces that the Worker tells before it waits for some of them to be taken. */
export const UNTAKEN_BYTES = 3_000_000;

/** A message whose texts stand elsewhere, with their lengths in bytes. */
type WithoutTexts = Omit<ReadyMessage, "text" | "parts"> & {
  readonly text: number;
  readonly parts: number;
};

type PieceReply = Extract<ReaderReply, { type: "piece" }>;

/** What a Worker posts: JSON; for a piece the bytes that `encodePiece` makes. */
export type Encoded = string | Uint8Array<ArrayBuffer>;

export function encodeReply(reply: ReaderReply): Encoded {
  return reply.type === "piece" ? encodePiece(reply) : JSON.stringify(reply);
}

/** The Worker runs our own code: what it says is taken for what it is. */
export function decodeReply(encoded: Encoded): ReaderReply {
  return typeof encoded === "string" ? (JSON.parse(encoded) as ReaderReply) : decodePiece(encoded);
}

/** Of the length of the JSON, before it. */
const LENGTH_BYTES = 4;

/**
 * The JSON of a piece with the texts of its messages left out, then these behind each other: to make
 * strings of them and to quote these takes longer than all else. The bytes are the caller's to give away.
 */
function encodePiece(reply: PieceReply): Uint8Array<ArrayBuffer> {
  const { batch } = reply.piece;
  const texts: Uint8Array[] = [];
  let length = 0;
  const messages = batch.messages.map(({ text, parts, ...rest }): WithoutTexts => {
    texts.push(text, parts);
    length += text.length + parts.length;
    return { ...rest, text: text.length, parts: parts.length };
  });
  const head = Buffer.from(
    JSON.stringify({ ...reply, piece: { ...reply.piece, batch: { ...batch, messages } } }),
  );
  const encoded = new Uint8Array(LENGTH_BYTES + head.length + length);
  new DataView(encoded.buffer).setUint32(0, head.length);
  let at = LENGTH_BYTES;
  for (const bytes of [head, ...texts]) {
    encoded.set(bytes, at);
    at += bytes.length;
  }
  return encoded;
}

function decodePiece(encoded: Uint8Array<ArrayBuffer>): PieceReply {
  let at = LENGTH_BYTES;
  const take = (length: number): Uint8Array<ArrayBuffer> => {
    at += length;
    return encoded.subarray(at - length, at);
  };
  const head = take(new DataView(encoded.buffer).getUint32(0));
  const reply = JSON.parse(
    Buffer.from(head.buffer, head.byteOffset, head.length).toString(),
  ) as PieceReply;
  const { batch } = reply.piece;
  const left = batch.messages as unknown as readonly WithoutTexts[];
  const messages = left.map((message): ReadyMessage => {
    const text = take(message.text);
    return { ...message, text, parts: take(message.parts) };
  });
  return { ...reply, piece: { ...reply.piece, batch: { ...batch, messages } } };
}
