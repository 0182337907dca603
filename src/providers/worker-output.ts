/** Bounded views of what a worker wrote: whole answers, and excerpts of streams of any size. */
import { type FileEnds, readEnds, readHead } from "../platform/bounded-read.ts";
import type { ProviderFailure } from "./contract.ts";

/** Longest answer in bytes; more could not reach a script in one message. */
export const ANSWER_LIMIT = 16 * 1024 * 1024;

/** Bytes looked at from each end of a stream. */
const END_BYTES = 64 * 1024;
/** Bytes of a worker's own words in a message; of a stream, of each of its ends. */
export const EXCERPT_BYTES = 4096;

/** One stream of an ended process. */
export interface StreamView {
  /** Its lines near both ends, to look for reasons in. */
  readonly lines: readonly string[];
  /** A text short enough for a message, with a mark where something is left out. */
  readonly excerpt: string;
  /** Both ends, as much as was looked at, with the same mark. */
  readonly ends: string;
}

/** Looks at both ends of a stream's file; a missing file is an empty stream. */
export async function viewStream(path: string): Promise<StreamView> {
  const ends = (await readEnds(path, END_BYTES)) ?? { text: "", tail: "", omittedBytes: 0 };
  return {
    lines: `${ends.text}\n${ends.tail}`.split(/\r?\n/),
    excerpt: shortened(ends, EXCERPT_BYTES),
    ends: shortened(ends, END_BYTES),
  };
}

/** An answer file, trimmed; `missing` where there is none, `tooLong` above `limitBytes`. */
export type AnswerFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "tooLong"; readonly bytes: number };

export async function readAnswer(path: string, limitBytes = ANSWER_LIMIT): Promise<AnswerFile> {
  const head = await readHead(path, limitBytes);
  if (head === undefined) return { kind: "missing" };
  if (head.omittedBytes > 0) return { kind: "tooLong", bytes: limitBytes + head.omittedBytes };
  return { kind: "text", text: head.text.trim() };
}

/** The failure of a call whose answer is larger than any script can be handed. */
export function answerTooLong(who: string, bytes: number): ProviderFailure {
  return {
    ok: false,
    outcome: "failed",
    code: "output_limit",
    message: `${who} answered with ${bytes} bytes; at most ${ANSWER_LIMIT} can reach a script`,
  };
}

/** The first `limitBytes` of a text in UTF-8, with `[truncated N bytes]` behind them if that is not all. */
export function excerptText(text: string, limitBytes: number, omittedBytes = 0): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limitBytes && omittedBytes === 0) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
  const left = omittedBytes + bytes.length - Buffer.byteLength(kept);
  return `${kept} [truncated ${left} bytes]`;
}

function shortened({ text, tail, omittedBytes }: FileEnds, endBytes: number): string {
  const head = Buffer.from(text);
  const whole = Buffer.concat([head, Buffer.from(tail)]);
  if (omittedBytes === 0 && whole.length <= 2 * endBytes) return text.trim();
  const first = decoded(whole.subarray(0, Math.min(endBytes, head.length)));
  const last = decoded(whole.subarray(Math.max(endBytes, whole.length - endBytes)));
  const left = omittedBytes + whole.length - Buffer.byteLength(first) - Buffer.byteLength(last);
  return `${first.trimStart()}\n[truncated ${left} bytes]\n${last.trimEnd()}`;
}

function decoded(bytes: Uint8Array): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(bytes.subarray(start), { stream: true });
}
