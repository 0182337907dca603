/** One request with JSON in it, and whatever became of it as a value. */
import { messageOf } from "../lib/errors.ts";

export interface JsonRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** For all of it, the answer included. */
  readonly timeoutMs: number;
  /** Most that is taken of an answer. */
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

export type JsonAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The header of that name; empty without. */
      readonly retryAfter: string;
      readonly text: string;
    }
  /** No connection came about: nobody heard of it. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** The connection ended before the answer did. */
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "late" }
  | { readonly kind: "too_long" };

/** What Bun and the system call a connection that was there. */
const BROKEN = /^(?:ConnectionClosed|ECONNRESET|EPIPE|ShortRead|.*Zlib.*|InvalidHTTPResponse)$/i;

/**
 * Redirects are answers like others: what was sent is for the one it was sent to.
 * @throws the reason of the signal, when it is aborted.
 */
export async function postJson(request: JsonRequest): Promise<JsonAnswer> {
  const { url, headers, body, timeoutMs, limitBytes, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  let connected = false;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    connected = true;
    const text = await readText(response, limitBytes);
    if (text === undefined) return { kind: "too_long" };
    const retryAfter = response.headers.get("retry-after") ?? "";
    return { kind: "answered", status: response.status, retryAfter, text };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { kind: "late" };
    const reason = messageOf(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { kind: connected || BROKEN.test(code) ? "broken" : "unreachable", reason };
  }
}

async function readText(response: Response, limitBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > limitBytes) return undefined;
    pieces.push(decoder.decode(piece, { stream: true }));
  }
  return pieces.join("") + decoder.decode();
}
