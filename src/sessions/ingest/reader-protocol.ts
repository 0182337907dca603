/** What the index and the Worker that reads for it tell each other, one text each. */
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
  /** So many characters of what was told were taken. */
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

/** Characters that the Worker tells before it waits for some of them to be taken. */
export const UNTAKEN_SIZE = 3_000_000;

/** A message whose texts stand elsewhere, with their lengths. */
type WithoutTexts = Omit<ReadyMessage, "text" | "parts"> & {
  readonly text: number;
  readonly parts: number;
};

/**
 * JSON; of a piece the length of its JSON, a blank, the JSON with the texts of the messages left out,
 * and these behind each other: to quote them and to take the quotes off again takes longer than all
 * else.
 */
export function encodeReply(reply: ReaderReply): string {
  if (reply.type !== "piece") return JSON.stringify(reply);
  const { batch } = reply.piece;
  const texts: string[] = [];
  const messages = batch.messages.map(({ text, parts, ...rest }): WithoutTexts => {
    texts.push(text, parts);
    return { ...rest, text: text.length, parts: parts.length };
  });
  const head = JSON.stringify({
    ...reply,
    piece: { ...reply.piece, batch: { ...batch, messages } },
  });
  return `${head.length} ${head}${texts.join("")}`;
}

/** The Worker runs our own code: what it says is taken for what it is. */
export function decodeReply(encoded: string): ReaderReply {
  if (encoded.startsWith("{")) return JSON.parse(encoded) as ReaderReply;
  const begin = encoded.indexOf(" ") + 1;
  let at = begin + Number(encoded.slice(0, begin));
  const take = (length: number): string => {
    at += length;
    return encoded.slice(at - length, at);
  };
  const reply = JSON.parse(encoded.slice(begin, at)) as Extract<ReaderReply, { type: "piece" }>;
  const { batch } = reply.piece;
  const left = batch.messages as unknown as readonly WithoutTexts[];
  const messages = left.map((message): ReadyMessage => {
    const text = take(message.text);
    return { ...message, text, parts: take(message.parts) };
  });
  return { ...reply, piece: { ...reply.piece, batch: { ...batch, messages } } };
}
